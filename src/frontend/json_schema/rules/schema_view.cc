#include "frontend/json_schema/rules/schema_view.h"

#include <utility>
#include <vector>

#include "frontend/json_schema/rules/schema_check.h"
#include "frontend/json_schema/rules/schema_rules.h"
#include "frontend/json_schema/source/documents.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

SchemaView::SchemaView(const JsonSchemaOptions& options, regex::ExprSet& exprs, const Limits& limits)
    : store_(registry_, limits),
      algebra_(exprs, number_spelling(options), string_spelling(options), limits,
               {[this](SchemaId schema, ScopeId scope) { return meaning_.shape(schema, scope); },
                [this](SchemaId schema) { return meaning_.is_plain(schema); }}),
      witness_(algebra_),
      meaning_(store_, algebra_, witness_.derivation(), options) {
  meaning_.keep_schemas();
  algebra_.keep_origins();
}

Result<std::unique_ptr<SchemaView>> SchemaView::make(std::string_view text, const JsonSchemaOptions& options,
                                                     regex::ExprSet& exprs, const Limits& limits) {
  std::unique_ptr<SchemaView> view(new SchemaView(options, exprs, limits));
  if (auto done = add_documents(view->registry_, options, limits, text); !done) {
    return tl::unexpected(std::move(done.error()));
  }
  const Result<SchemaId> root = view->store_.load(text, load_options(options));
  if (!root) return tl::unexpected(root.error());
  std::vector<Warning> known;
  if (auto done = check_schemas(view->store_, *root, exprs, options, limits, known); !done) {
    return tl::unexpected(std::move(done.error()));
  }
  offer_strings(view->algebra_, view->store_, options);
  view->root_schema_ = *root;
  view->root_ = view->meaning_.set(*root, view->store_.enter(ScopeId::kEmpty, *root));
  return view;
}

ExprId SchemaView::scalars(SetId set, std::string& name) {
  Shape shape = algebra_.shape(set);
  shape.strings = ExprId::kNothing;
  return scalar_texts(algebra_, shape, name);
}

ExprId SchemaView::numbers(SetId set, std::string& name) {
  Shape shape;
  shape.numbers = algebra_.shape(set).numbers;
  return scalar_texts(algebra_, shape, name);
}

ExprId SchemaView::strings(SetId set, std::string& name) {
  Shape shape;
  shape.strings = algebra_.shape(set).strings;
  return scalar_texts(algebra_, shape, name);
}

ExprId SchemaView::without(ExprId texts, std::string_view end) {
  regex::ExprSet& exprs = algebra_.exprs();
  const ExprId holding = exprs.concat(ExprId::kAllStrings, exprs.concat(exprs.literal(end), ExprId::kAllStrings));
  return exprs.intersection(texts, exprs.complement(holding));
}

ExprId SchemaView::bare_strings(SetId set, std::string_view end) {
  const ExprId strings = algebra_.shape(set).strings;
  if (!algebra_.has_text(strings)) return ExprId::kNothing;
  regex::ExprSet& exprs = algebra_.exprs();
  const ExprId texts = exprs.repeat(regex::any_code_point(exprs), 0, regex::kUnbounded);
  const ExprId bare = without(exprs.intersection(strings, texts), end);
  return algebra_.has_member(bare) ? bare : ExprId::kNothing;
}

// A schema without identifiers and references means the same anywhere if the default draft is its own. Then its text is
// returned, so a reader need not read the whole document. The test is a text search. It also refuses some harmless texts;
// for these a reference is returned, which is correct too.
std::optional<std::string> SchemaView::text_of(SetId set, std::string_view document) {
  const auto stands_alone = [&](SchemaId schema, std::string_view text) {
    return !store_.names_draft(schema) && text.find("\"$") == std::string_view::npos &&
           text.find("\"id\"") == std::string_view::npos && text.find("\\u") == std::string_view::npos;
  };
  return algebra_.text_of(set, [&](SchemaId schema) -> std::optional<std::string> {
    const SourceRange where = store_.json(schema).where();
    if (schema != root_schema_ && store_.resource(schema) == store_.resource(root_schema_)) {
      const std::string_view text = store_.text().substr(where.start, where.end - where.start);
      if (stands_alone(schema, text)) return std::string(text);
    }
    const std::string location = store_.location(schema);
    const std::size_t hash = location.find('#');
    const std::string uri = (hash == 0 ? std::string(document) : location.substr(0, hash)) + "#" +
                            as_fragment(std::string_view(location).substr(hash + 1));
    if (uri.find_first_of("\"\\") != std::string::npos) return std::nullopt;
    return R"({"$ref": ")" + uri + "\"}";
  });
}

SourceRange SchemaView::where(SetId set) const {
  const std::optional<SchemaId> schema = algebra_.schema_of(set);
  return schema ? store_.where(*schema) : SourceRange{};
}

std::string SchemaView::pointer_at(SourceRange where) const {
  return json_schema::pointer_at(store_.root_json(), where);
}

}  // namespace weir::frontend::json_schema
