#!/usr/bin/env bash
# Shows weir at work. Usage: tools/demo.sh [BUILD_DIRECTORY]; `make demo` builds first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build}
weir=$build/weir

section() { printf '\n--- %s\n\n' "$*"; }

# Prints a command as a user would type it, then runs it. Exit code 1 means "refused" and is not a failure.
show() {
  local word line='$ weir'
  for word in "$@"; do
    [[ $word =~ ^[A-Za-z0-9_./=-]+$ ]] || word=${word@Q}
    line+=" $word"
  done
  printf '%s\n' "$line"
  "$weir" "$@" || [[ $? -eq 1 ]]
  printf '\n'
}

section "The tokenizer that is built in"
show tokenizer

section "Which tokens may come next?"
show mask --grammar examples/json.ebnf --after '{"level": 2.50, "ok": t'
show mask --grammar examples/json.ebnf --after '{"level": 2.50' --token-text '.'

section "Does a text belong to the language, and if not, where does it leave it?"
show validate --grammar examples/json.ebnf examples/documents/order.json
sed 's/"quantity": 12, /"quantity": 12 /' examples/documents/order.json > "$build/corrupted.json"
show validate --grammar examples/json.ebnf "$build/corrupted.json"
printf 'area = pi * (r ^ 2' > "$build/unfinished.expr"
show validate --grammar examples/expression.ebnf "$build/unfinished.expr"

section "Members of the language, drawn through the masks, always complete"
show generate --grammar examples/json.ebnf --start object --count 5 --max-tokens 40 --seed 52
show generate --grammar examples/expression.ebnf --count 5 --max-tokens 14 --seed 11

section "Real documents, token by token, whole and corrupted, against plain parsers written by hand"
"$build/weir_demo"

section "A small language model writes JSON for schemas that it has not seen: alone, and with weir"
"$build/examples/weir_language_model" data/model examples/language_model/prompts 20
