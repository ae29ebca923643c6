#include "frontend/xgrammar/xgrammar.h"

#include "frontend/ebnf/ebnf.h"

namespace weir::frontend {

namespace {

class XgrammarExtension : public ebnf::Extension {
 public:
  XgrammarExtension(std::string_view text, Reading& reading) : text_(text), reading_(reading) {}

  Result<grammar::NodeId> macro(SourceRange where, const RuleNamed& rule_named) override {
    return xgrammar::read_macro(text_, where, rule_named, reading_);
  }
  Result<ebnf::RuleOptions> options(std::string_view rule, SourceRange where) override {
    return xgrammar::read_options(text_, rule, where, reading_);
  }

 private:
  std::string_view text_;
  Reading& reading_;
};

}  // namespace

std::optional<grammar::RuleId> read_xgrammar(std::string_view text, std::string_view start, Reading& reading) {
  XgrammarExtension extension(text, reading);
  return read_dialect(text, start, ebnf::Dialect::kXgrammar, &extension, reading);
}

}  // namespace weir::frontend
