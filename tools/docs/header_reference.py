"""Makes a documentation page from a C++ or C header: its comments, with the declarations that they describe."""

import re

from reference_text import markdown

_SKIPPED = re.compile(r"^(#(ifndef|define|endif|include|ifdef|if|else)\b.*|namespace [\w:]+ \{|\}  // namespace .*"
                      r"|extern \"C\" \{|class \w+;|struct \w+;|\})$")
_NAME = re.compile(r"^(?:class|struct|enum class|enum)\s+(?:\[\[\w+\]\]\s*)?(\w+)|(~?\w+|operator\W+)\s*\(")
_INNER = "/// For weir's own layers"


def cpp_page(name, text):
    lines = text.split("\n")
    out = [f"# {name}", ""]
    at = 0
    while lines[at].startswith("//"):
        at += 1
    out.append(markdown([line[2:].removeprefix(" ") for line in lines[:at]]))
    owner = ""  # the class that is being read
    while at < len(lines):
        line = lines[at]
        if owner and line.startswith("};"):
            owner = ""
        if owner and line == " private:":
            while not lines[at].startswith("};"):
                at += 1
            continue
        if not line.strip() or line.strip() in ("public:", "};") or _SKIPPED.match(line):
            # A nested namespace that only declares what other headers define.
            if re.match(r"^namespace \w+ \{$", line) and not line.startswith("namespace weir"):
                while not lines[at].startswith("}"):
                    at += 1
            at += 1
            continue
        comment, code, at = _chunk(lines, at)
        if comment and comment[0].startswith(_INNER.removeprefix("/// ")):
            continue
        opened = re.match(r"^(?:class)\s+(?:WEIR_API\s+)?(\w+).*\{$", code[-1]) if code else None
        if opened:
            owner = opened[1]
        out += _section(owner if not opened else "", comment, code, bool(opened))
    return "\n".join(out) + "\n"


def _chunk(lines, at):
    """Returns comment lines, the code after them up to a blank line or another comment, and the index of the next
    line."""
    comment, code = [], []
    while lines[at].strip().startswith(("///", "//")) and not code:
        comment.append(re.sub(r"^\s*//[/]? ?", "", lines[at]))
        at += 1
    if re.match(r"^(struct|enum class)\b.*\{$", lines[at].strip()):
        end = lines[at][:len(lines[at]) - len(lines[at].lstrip())] + "};"
        while not lines[at].startswith(end):
            code.append(lines[at])
            at += 1
        code.append(lines[at])
        return comment, code, at + 1
    while at < len(lines) and lines[at].strip() and not lines[at].strip().startswith("///"):
        if lines[at].startswith(("};", " private:")):
            break
        code.append(lines[at])
        at += 1
        if re.match(r"^class\b.*\{$", code[-1]):
            break
    return comment, code, at


def _section(owner, comment, code, is_class):
    if not code:
        return [markdown(comment)]
    indent = min(len(line) - len(line.lstrip()) for line in code)
    code = [line[indent:].replace("WEIR_API ", "") for line in code]
    if is_class:
        code[-1] = code[-1].removesuffix(" {") + ";"
    found = _NAME.search(code[0]) if not code[0].startswith("template") or len(code) == 1 else _NAME.search(code[1])
    out = []
    if found:
        name = (found[1] or found[2]).strip()
        out.append(f"### `{owner}::{name}`\n" if owner else f"## `{name}`\n")
    return [*out, "```cpp", *code, "```\n", markdown(comment)]


def c_page(name, text):
    body = text.split("*/", 1)
    essay = [re.sub(r"^ ?\*? ?", "", line) for line in body[0].removeprefix("/*").split("\n")]
    out = [f"# {name}", "", markdown(essay)]
    for block in re.split(r"\n\s*\n", body[1]):
        title = re.match(r"/\* ---- (.*?) -+ \*/$", block.strip())
        if title:
            heading, _, header = title[1].partition(":")
            out.append(f"## {heading}\n" + (f"\nIn C++: `{header.strip()}`.\n" if header else ""))
            continue
        comment, code = [], [line for line in block.split("\n") if not _SKIPPED.match(line.strip())]
        if code and code[0].startswith("/*"):
            while code:
                line = code.pop(0)
                comment.append(re.sub(r"^(/\*| \*) ?|\s*\*/$", "", line))
                if line.endswith("*/"):
                    break
        if comment and any(line.strip() for line in comment):
            out.append(markdown(comment))
        if any(line.strip() for line in code):
            out += ["```c", *(line.replace("WEIR_API ", "") for line in code if line.strip()), "```\n"]
    return "\n".join(out) + "\n"
