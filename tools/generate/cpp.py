"""Writes include/weir/members.h: the members of the structs and the words of the enumerations, for C++ programs."""

import model

BEGIN = """// The members of the structs of options, limits and counters, by name, for programs that read or show them.
//
//     weir::for_each_member<weir::Limits>([&](const char* name, auto member, const char* comment) {
//       std::cout << name << " = " << limits.*member << "  // " << comment << "\\n";
//     });
#ifndef WEIR_MEMBERS_H_
#define WEIR_MEMBERS_H_

// Written by tools/generate from the headers that declare them. Do not edit.
// clang-format off

#include <span>
#include <string_view>

#include "weir/batch.h"
#include "weir/compiler.h"
#include "weir/diagnostic.h"
#include "weir/grammar.h"
#include "weir/json_schema.h"
#include "weir/kbnf.h"
#include "weir/limits.h"
#include "weir/matcher.h"
#include "weir/reply_parser.h"
#include "weir/tokenizer_info.h"
#include "weir/tools.h"

namespace weir {

/// A word that stands for an enumerator in JSON and on command lines: "byte_fallback" for kByteFallback.
struct Word {
  std::string_view word;
  std::string_view comment;
};

template <typename Enum>
struct EnumInfo;
template <typename Struct>
struct StructInfo;

/// The words of an enumeration, in the order of its enumerators, which are numbered from 0.
template <typename Enum>
inline constexpr std::span<const Word> kWords = EnumInfo<Enum>::kWords;

/// Calls `visit(name, member, comment)` for each member of a struct: a pointer to the member, and the first sentence of
/// what its header says.
template <typename Struct, typename Visit>
void for_each_member(const Visit& visit) {
  StructInfo<Struct>::visit(visit);
}

"""


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def members_h(enums, structs):
    out = BEGIN
    for enum in enums.values():
        out += f"template <>\nstruct EnumInfo<{enum.name}> {{\n  static constexpr Word kWords[] = {{\n"
        for _, word, comment in enum.words:
            out += f"      {{{quoted(word)}, {quoted(model.summary(comment))}}},\n"
        out += "  };\n};\n\n"
    for struct in structs.values():
        out += f"template <>\nstruct StructInfo<{struct.name}> {{\n  template <typename Visit>\n  static void visit(const Visit& visit) {{\n"
        for field in struct.fields:
            out += f"    visit({quoted(field.name)}, &{struct.name}::{field.name}, {quoted(field.summary)});\n"
        out += "  }\n};\n\n"
    return out + "}  // namespace weir\n\n#endif  // WEIR_MEMBERS_H_\n"
