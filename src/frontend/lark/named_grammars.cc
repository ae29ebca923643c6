#include "frontend/lark/named_grammars.h"

#include <string>
#include <utility>

#include "frontend/lark/parser.h"
#include "frontend/lark/words.h"
#include "frontend/text.h"
#include "grammar/suggest.h"

namespace weir::frontend::lark {

namespace {

class Loader {
 public:
  Loader(const GrammarTextOptions& options, SyntaxTree& tree, Reading& reading)
      : options_(options), tree_(tree), reading_(reading), target_of_(options.grammars.size()) {}

  std::vector<NamedTarget> run(std::string_view text) {
    add_text(text, {}, {});
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const std::size_t end = texts_[i].end_node;
      for (std::size_t node = texts_[i].first_node; node < end; ++node) {
        if (tree_.nodes[node].kind == NodeKind::kGrammar) resolve(node, i);
      }
    }
    return std::move(targets_);
  }

 private:
  // A text with its nodes [first_node, end_node) and its module.
  struct Text {
    std::size_t first_node = 0;
    std::size_t end_node = 0;
    std::uint32_t module = 0;
  };

  std::uint32_t add_text(std::string_view text, const std::string& name, SourceRange where) {
    const auto module = static_cast<std::uint32_t>(tree_.modules.size());
    const std::size_t first_node = tree_.nodes.size();
    std::vector<Error> errors;
    if (auto done = check_text(text, reading_.limits); !done) {
      errors.push_back(std::move(done.error()));
      text = {};
    }
    const std::vector<Word> words = split_words(text, errors);
    parse(text, words, reading_.limits, tree_, errors);
    for (std::size_t i = module; i < tree_.modules.size() && !name.empty(); ++i) {
      tree_.modules[i].grammar_name = name;
      tree_.modules[i].where = where;
    }
    for (Error& error : errors) reading_.errors.push_back(placed(tree_.modules[module], std::move(error)));
    texts_.push_back({first_node, tree_.nodes.size(), module});
    return module;
  }

  void resolve(std::size_t node, std::size_t in_text) {
    const Module& from = tree_.modules[texts_[in_text].module];
    const SourceRange written = tree_.nodes[node].where;
    const std::string_view name = from.text.substr(written.start + 1, written.end - written.start - 1);
    std::vector<std::string_view> names;
    for (const NamedGrammar& grammar : options_.grammars) names.emplace_back(grammar.name);
    std::size_t which = 0;
    while (which < names.size() && names[which] != name) ++which;
    if (which == names.size()) {
      std::string hint = grammar::did_you_mean(names, name);
      if (hint.empty()) hint = "grammars that `@` refers to are given beside the text (`grammars`)";
      reading_.errors.push_back(placed(from, {ErrorCode::kInvalidArgument,
                                              "there is no grammar `" + std::string(name) + "`",
                                              written,
                                              std::move(hint),
                                              {}}));
      return;
    }
    if (!target_of_[which]) {
      const SourceRange where = from.grammar_name.empty() ? written : from.where;
      target_of_[which] = static_cast<std::uint32_t>(targets_.size());
      targets_.emplace_back();
      load(options_.grammars[which], where, targets_.back());
    }
    tree_.nodes[node].index = *target_of_[which];
  }

  void load(const NamedGrammar& named, SourceRange where, NamedTarget& target) {
    if (named.syntax == GrammarSyntax::kLark) {
      target.module = add_text(named.text, named.name, where);
      return;
    }
    GrammarTextOptions options = options_;
    options.syntax = named.syntax;
    options.start = {};
    Reading other{reading_.grammar, reading_.limits, reading_.review};
    target.rule = read_text(named.text, options, other);
    Module place;
    place.text = named.text;
    place.grammar_name = named.name;
    place.where = where;
    for (Error& error : other.errors) reading_.errors.push_back(placed(place, std::move(error)));
    for (Warning& warning : other.warnings)
      reading_.warnings.push_back({std::move(warning.message), where, {}, std::move(warning.code)});
  }

  const GrammarTextOptions& options_;
  SyntaxTree& tree_;
  Reading& reading_;
  std::vector<Text> texts_;
  std::vector<NamedTarget> targets_;
  std::vector<std::optional<std::uint32_t>> target_of_;  // by named grammar
};

}  // namespace

Error placed(const Module& module, Error error) {
  if (module.grammar_name.empty()) return error;
  const LineColumn at = line_column(module.text, error.where.start);
  error.message = "in the grammar `" + module.grammar_name + "`, line " + std::to_string(at.line) + ", column " +
                  std::to_string(at.column) + ": " + error.message;
  error.where = module.where;
  error.notes.clear();
  return error;
}

std::vector<NamedTarget> parse_with_named(std::string_view text, const GrammarTextOptions& options, SyntaxTree& tree,
                                          Reading& reading) {
  return Loader(options, tree, reading).run(text);
}

}  // namespace weir::frontend::lark
