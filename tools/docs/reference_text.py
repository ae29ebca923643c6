"""Converts comments and docstrings to Markdown."""

import re

# Labels that begin a new paragraph: "Errors   kSyntax: ...", "WHAT   ...", "Raises TypeError: ...", "schema: its text".
_LABEL = re.compile(r"^(?P<label>[A-Z][A-Za-z]+)  +(?=\S)|^(?P<heading>ALTERNATIVES|INVARIANTS|MEMORY|REFERENCES|THREADS) "
                    r"|^(?P<key>Raises|Returns|Cost|Threads)\b:?|^(?P<argument>[a-z_]+): ")


def escaped(text):
    """Returns the text with characters escaped that Markdown would read as markup, except in code."""
    pieces = text.split("`")
    for place in range(0, len(pieces), 2):
        pieces[place] = re.sub(r"([*_<\[\]|])", lambda m: "&lt;" if m[1] == "<" else "\\" + m[1], pieces[place])
    return "`".join(pieces)


def markdown(lines, has_arguments=False):
    """Returns the lines of a comment as Markdown. A line that begins with a label (with `has_arguments`, also with an
    argument's name) begins a paragraph. Indented lines after a blank line are code."""
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
