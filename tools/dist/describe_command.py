#!/usr/bin/env python3
"""Writes the manual and the shells' completions of the command from what its --help says.

Usage: describe_command.py WEIR FOLDER. Writes FOLDER/man/weir.1 and weir-COMMAND.1, both also as .gz, and
FOLDER/completions, whose tree is that of a prefix's share folder.
"""

import gzip
import pathlib
import re
import subprocess
import sys

OPTION = re.compile(r"^ +(?P<names>(?:-\w,)?--[\w-]+)(?P<rest>.*)$")
POSITIONAL = re.compile(r"^  (?P<name>\w+)(?: (?P<rest>.*))?$")


def help_of(weir, *command):
    return subprocess.run([weir, *command, "--help"], capture_output=True, text=True, check=True).stdout


def subcommands(text):
    """Returns [(name, what it does)]."""
    part = text.split("\nSubcommands:\n", 1)[1].split("\n\n", 1)[0]
    return [tuple(line.strip().split(None, 1)) for line in part.splitlines()]


def words_of(value, about):
    """The words that a value may be: those of its name, `any|declared`, or those that a list after the last colon has.
    Names of kinds, `JSON|FILE`, are no words."""
    kind, *others = value.split("|")
    if others and value.islower():
        return [kind, *others]
    listed = about.rsplit(": ", 1)[-1].split(", ")
    if not kind.startswith("NAME") or not all(re.fullmatch(r"[a-z0-9_]+", word) for word in listed):
        return []
    return [word + kind.removeprefix("NAME").removesuffix("N") for word in listed]  # NAME=N: `nesting=`


def options(text):
    """Returns [(long name, value's name or "", what it means, [the words that the value may be])]."""
    found = []
    for line in text.splitlines():
        match = OPTION.match(line)
        if match:
            name = match["names"].split(",")[-1]
            about = re.split(r"\s{2,}", match["rest"], maxsplit=1)
            value = re.match(r" (?P<value>[A-Z=]+|[\w.|-]+\|[\w.|-]+)(?=[ =]|$)", about[0])
            found.append([name, value["value"] if value else "", about[1].strip() if len(about) > 1 else ""])
        elif found and line.startswith(" " * 20):
            found[-1][2] = f"{found[-1][2]} {line.strip()}".strip()
        elif line.strip() == "":
            continue
        else:
            found.append(["", "", ""])  # a heading or the footer: what follows belongs to no option
    return [(name, value, about, words_of(value, about)) for name, value, about in found if name]


def escaped(text):
    """Returns a line of text for troff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def manual(name, about, text, version, see_also):
    lines = [f'.TH {name.upper()} 1 "" "weir {version}" "User Commands"', ".SH NAME",
             f"{escaped(name)} \\- {escaped(about[0].lower() + about[1:])}", ".SH SYNOPSIS", ".nf"]
    usage = re.search(r"^Usage: (.*)$", text, re.MULTILINE)
    lines += [escaped(usage[1]), ".fi", ".SH DESCRIPTION", ".nf"]
    lines += [escaped(line) for line in text.splitlines() if not line.startswith("Usage: ")]
    lines += [".fi", ".SH SEE ALSO"] + [f".BR {escaped(other)} (1)" for other in see_also]
    return "\n".join(lines) + "\n"


def bash(commands):
    names = " ".join(name for name, _, _ in commands)
    cases = "\n".join(f'    {name}) words="{" ".join(option for option, *_ in found)}" ;;' for name, _, found in commands)
    values = "\n".join(f'    {name}\\ {option}) words="{" ".join(words)}" ;;'
                       for name, _, found in commands for option, _, _, words in found if words)
    return f"""# bash completion for weir
_weir() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words=
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W "{names} --help --version" -- "$current")
    return
  fi
  case "${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD-1]}}" in
{values}
  esac
  if [[ -n $words ]]; then
    [[ $words != *= ]] || compopt -o nospace 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  fi
  [[ $current == -* ]] || return
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _weir weir
"""


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh(commands):
    names = "\n".join("    " + quoted(f"{name}:{about}") for name, about, _ in commands)
    cases = []
    for name, _, found in commands:
        specs = []
        for option, value, about, words in found:
            about = re.sub(r"([\[\]:\\])", r"\\\1", about)
            name = "WORD" if "|" in value else value
            action = "_files" if value == "FILE" else f"({' '.join(words)})" if words else ""
            specs.append(quoted(f"*{option}[{about}]" + (f":{name}:{action}" if value else "")))
        cases.append(f"    {name}) _arguments " + " ".join(specs) + " '*:file:_files' ;;")
    return f"""#compdef weir
local -a commands
if (( CURRENT == 2 )); then
  commands=(
{names}
  )
  _describe command commands
else
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{chr(10).join(cases)}
  esac
fi
"""


def fish(commands):
    lines = ["# fish completion for weir"]
    for name, about, _ in commands:
        lines.append(f"complete -c weir -n __fish_use_subcommand -f -a {name} -d {quoted(about)}")
    for name, _, found in commands:
        for option, value, about, words in found:
            needs = f" -x -a {quoted(' '.join(words))}" if words else " -r" if value else ""
            lines.append(f"complete -c weir -n '__fish_seen_subcommand_from {name}' -l {option[2:]}{needs} -d {quoted(about)}")
    return "\n".join(lines) + "\n"


def main():
    weir, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    version = subprocess.run([weir, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    top = help_of(weir)
    commands = []
    pages = {}
    names = subcommands(top)
    for name, about in names:
        text = help_of(weir, name)
        commands.append((name, about, options(text)))
        pages[f"weir-{name}"] = manual(f"weir-{name}", about, text, version, ["weir"])
    pages["weir"] = manual("weir", "grammar-constrained decoding", top, version, [f"weir-{name}" for name, _ in names])
    (folder / "man").mkdir(parents=True, exist_ok=True)
    for name, page in pages.items():
        (folder / "man" / f"{name}.1.gz").write_bytes(gzip.compress(page.encode(), 9, mtime=0))
        (folder / "man" / f"{name}.1").write_text(page)
    share = folder / "completions"
    for path, text in (("bash-completion/completions/weir", bash(commands)), ("zsh/vendor-completions/_weir", zsh(commands)),
                       ("fish/vendor_completions.d/weir.fish", fish(commands))):
        (share / path).parent.mkdir(parents=True, exist_ok=True)
        (share / path).write_text(text)


if __name__ == "__main__":
    main()
