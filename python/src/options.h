// Options as keyword arguments: how they are set, and how signatures show them.
#ifndef WEIR_PYTHON_SRC_OPTIONS_H_
#define WEIR_PYTHON_SRC_OPTIONS_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/weir.h"

namespace weir::python {

/// Return the options that the keyword arguments set. Raise ValueError for a value that is not allowed, and TypeError for
/// an unknown name.
GrammarTextOptions text_options(const nanobind::dict& given);
RegexOptions regex_options(const nanobind::dict& given);
JsonSchemaOptions json_schema_options(const nanobind::dict& given);
/// The options of the schemas in a structural tag.
StructuralTagOptions structural_tag_options(const nanobind::dict& given);

/// The options of a matcher. Raises IndexError for a token that a vocabulary of this size lacks, and nb::next_overload for
/// an unknown name and a value of another type.
MatcherOptions matcher_options(const nanobind::dict& given, std::uint32_t vocab_size);

/// Returns the keyword arguments in the form of signatures: "*, match: typing.Literal['full', 'search'] = 'full', ...".
template <typename Options>
std::string signature();
/// Returns what docstrings say about the options: a line each.
template <typename Options>
std::string docs();

/// Return the value of an option. Raise ValueError, with the allowed values, for others.
TokenSpelling token_spelling(nanobind::handle value);
SubstringUnit substring_unit(std::string_view name);

using Words = std::vector<std::string>;

/// Returns the names of the languages of grammars, in the order of GrammarSyntax.
Words syntax_names();
/// Returns the type of an argument that is one of these words: "typing.Literal['full', 'search']".
std::string literal_type(const Words& words);

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_OPTIONS_H_
