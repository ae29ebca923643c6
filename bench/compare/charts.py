"""Quantile plots as SVG. A point (x, y) says: the share x of all times is at most y. Both axes are logarithmic."""

import html
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 400, 70, 20, 40, 60
COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
TICKS = [(0, "0"), (math.log10(2), "50%"), (1, "90%"), (2, "99%"), (3, "99.9%"), (4, "99.99%"), (5, "99.999%")]


def _text(x, y, anchor, text, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{html.escape(text)}</text>'


def _panel(title, unit_label, unit_ns, series):
    """Yields the SVG elements of one panel. `series` has (name, times in nanoseconds), drawn in order."""
    values = [time for _, times in series for time in times if time > 0]
    low, high = math.floor(math.log10(min(values) / unit_ns)), math.ceil(math.log10(max(values) / unit_ns)) + 1
    nines = max(math.log10(len(times)) for _, times in series if times)
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT

    def x_of(x):
        return LEFT + x / max(nines, 1) * (right - LEFT)

    def y_of(time):
        return bottom - (math.log10(max(time, 1) / unit_ns) - low) / (high - low) * (bottom - TOP)

    out = []
    for exponent in range(low, high + 1):
        y = y_of(10**exponent * unit_ns)
        out.append(f'<path d="M{LEFT} {y:.1f}H{right}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">10<tspan dy="-5" font-size="9">{exponent}</tspan></text>')
    for x, label in TICKS:
        if x <= max(nines, 1):
            out.append(f'<path d="M{x_of(x):.1f} {bottom}v5" stroke="#333"/>' + _text(x_of(x), bottom + 20, "middle", label))
    out.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#333"/>')
    out.append(_text((LEFT + right) / 2, TOP - 16, "middle", title, 'font-weight="bold"'))
    out.append(_text((LEFT + right) / 2, bottom + 42, "middle", "share of times that are no longer"))
    middle = (TOP + bottom) / 2
    out.append(_text(18, middle, "middle", unit_label, f'transform="rotate(-90 18 {middle})"'))
    for number, (name, times) in enumerate(series):
        if not times:
            continue
        ordered = sorted(times)
        points = []
        for i in range(201):
            x = math.log10(len(ordered)) * i / 200
            rank = math.ceil((1 - 10**-x) * len(ordered))
            points.append(f"{x_of(x):.1f} {y_of(ordered[min(rank, len(ordered) - 1)]):.1f}")
        color = COLORS[number % len(COLORS)]
        out.append(f'<path d="M{"L".join(points)}" fill="none" stroke="{color}" stroke-width="1.8"/>')
        y = TOP + 12 + 16 * number
        out.append(f'<path d="M{LEFT + 10} {y}h18" stroke="{color}" stroke-width="3"/>' + _text(LEFT + 34, y + 4, "start", name))
    return out


def quantiles(panels, caption):
    """Returns an SVG with `panels` side by side, each (title, label of the unit, nanoseconds per unit, series)."""
    width, height = WIDTH * len(panels), HEIGHT + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for number, panel in enumerate(panels):
        out += [f'<g transform="translate({WIDTH * number} 0)">', *_panel(*panel), "</g>"]
    out += [_text(width / 2, HEIGHT + 12, "middle", caption, 'fill="#555"'), "</svg>", ""]
    return "\n".join(out)
