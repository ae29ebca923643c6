"""Comments and docstrings as Markdown."""

import re

# What begins a paragraph of its own: "Errors   kSyntax: ...", "WHAT   ...", "Raises TypeError: ...", "schema: its text".
_LABEL = re.compile(r"^(?P<label>[A-Z][A-Za-z]+)  +(?=\S)|^(?P<heading>ALTERNATIVES|INVARIANTS|MEMORY|REFERENCES|THREADS) "
                    r"|^(?P<key>Raises|Returns|Cost|Threads)\b:?|^(?P<argument>[a-z_]+): ")


def escaped(text):
    """With what Markdown would take for markup, outside of code."""
    pieces = text.split("`")
    for place in range(0, len(pieces), 2):
        pieces[place] = re.sub(r"([*_<\[\]|])", lambda m: "&lt;" if m[1] == "<" else "\\" + m[1], pieces[place])
    return "`".join(pieces)


def markdown(lines, has_arguments=False):
    """Paragraphs of the lines of a comment. A line that begins with a label begins one, and with `has_arguments` one that
    begins with an argument's name; indented lines of a block that nothing introduces are code."""
    out, paragraph, code = [], [], []

    def flush():
        if paragraph:
            out.append(" ".join(paragraph) + "\n")
            paragraph.clear()
        if code:
            out.append("```text\n" + "\n".join(code) + "\n```\n")
            code.clear()

    was_blank = True
    for line in [*lines, ""]:
        if not line.strip():
            flush()
            was_blank = True
            continue
        label = _LABEL.match(line)
        if label and label["argument"] and not has_arguments:
            label = None
        if line.startswith("    ") and (code or was_blank):
            code.append(line[4:].rstrip())
        elif label:
            flush()
            name = label["argument"] or label["label"] or label["heading"] or label["key"]
            shown = f"`{name}`:" if label["argument"] else f"**{name.capitalize()}**"
            paragraph.append(f"{shown} {escaped(line[label.end():].strip())}")
        else:
            if code:
                flush()
            paragraph.append(escaped(line.strip()))
        was_blank = False
    return "\n".join(out)
