// Every member of every struct of options passes the C interface unchanged, with every word that it can be.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "c_api/options.h"
#include "weir/members.h"

namespace weir::c_api {
namespace {

// Returns values of a member besides its default; none for a list and for options within options.
template <typename T>
std::vector<T> other_values(const T& usual) {
  std::vector<T> out;
  if constexpr (std::is_same_v<T, bool>) {
    out = {!usual};
  } else if constexpr (std::is_enum_v<T>) {
    for (std::size_t i = 0; i < kWords<T>.size(); ++i) out.push_back(static_cast<T>(i));
  } else if constexpr (std::is_integral_v<T>) {
    out = {static_cast<T>(usual + 1), static_cast<T>(-1)};
  } else if constexpr (std::is_same_v<T, std::string>) {
    out = {"a text", ""};
  }
  return out;
}

template <typename C>
void pass_all_values() {
  using Cpp = typename Of<C>::Cpp;
  std::size_t passed = 0;
  for_each_member<Cpp>([&](const char* name, auto member, const char*) {
    for (const auto& value : other_values(Cpp().*member)) {
      Cpp given;
      given.*member = value;
      C in_c{};
      ASSERT_EQ(write_struct(Of<C>::table, &given, sizeof in_c, &in_c), WEIR_OK);
      const Result<Cpp> back = to_cpp(&in_c);
      ASSERT_TRUE(back.has_value()) << name << ": " << back.error().message;
      EXPECT_EQ((*back).*member, value) << name;
      ++passed;
    }
  });
  EXPECT_GT(passed, 0U);
}

TEST(Members, EveryValueOfOptionsPassesTheCInterface) {
  pass_all_values<weir_limits>();
  pass_all_values<weir_tokenizer_options>();
  pass_all_values<weir_vocab_spec>();
  pass_all_values<weir_ebnf_options>();
  pass_all_values<weir_regex_options>();
  pass_all_values<weir_json_schema_options>();
  pass_all_values<weir_text_options>();
  pass_all_values<weir_structural_tag_options>();
  pass_all_values<weir_tool_options>();
  pass_all_values<weir_matcher_options>();
  pass_all_values<weir_kbnf_options>();
  pass_all_values<weir_warm_up_options>();
  pass_all_values<weir_batch_options>();
  pass_all_values<weir_render_options>();
}

TEST(Members, ListsAndOptionsWithinOptions) {
  const std::uint32_t ids[] = {5, 7};
  weir_matcher_options matcher{};
  init(&matcher, sizeof matcher);
  matcher.context = ids;
  matcher.context_count = 2;
  EXPECT_EQ(to_cpp(&matcher)->context, (std::vector<std::uint32_t>{5, 7}));
  EXPECT_EQ(to_cpp(&matcher)->stop_token_ids, std::nullopt);
  EXPECT_EQ(to_cpp(&matcher)->max_tokens, std::nullopt);
  matcher.max_tokens = 3;
  EXPECT_EQ(to_cpp(&matcher)->max_tokens, 3U);

  weir_json_schema_options schema{};
  init(&schema, sizeof schema);
  const weir_schema_document documents[] = {{to_c("urn:a"), to_c("true")}};
  schema.documents = documents;
  schema.document_count = 1;
  schema.indent = 4;
  const weir_text names[] = {to_c("<a>"), to_c("<b>")};
  weir_structural_tag_options tag{};
  init(&tag, sizeof tag);
  tag.json_schema = &schema;
  tag.special_tokens = names;
  tag.special_token_count = 2;
  const Result<StructuralTagOptions> read = to_cpp(&tag);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->json_schema.documents, (std::vector<SchemaDocument>{{"urn:a", "true"}}));
  EXPECT_EQ(read->json_schema.indent, 4U);
  EXPECT_EQ(read->special_tokens, (std::vector<std::string>{"<a>", "<b>"}));
  EXPECT_EQ(read->grammar_syntax, GrammarSyntax::kXgrammar);
}

TEST(Members, WhatCannotBeUsedIsNamed) {
  weir_json_schema_options schema{};
  init(&schema, sizeof schema);
  schema.order = 2;
  EXPECT_EQ(to_cpp(&schema).error().message, "`order` is no weir_schema_order");
  init(&schema, sizeof schema);
  const weir_schema_document documents[] = {{{nullptr, 3}, to_c("true")}};
  schema.documents = documents;
  schema.document_count = 1;
  EXPECT_EQ(to_cpp(&schema).error().message, "`documents`, item 0: `uri` is NULL, or larger than memory");
}

}  // namespace
}  // namespace weir::c_api
