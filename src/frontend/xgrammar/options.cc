// The options of a rule: name[capture="x", lazy] ::= ...
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "frontend/xgrammar/arguments.h"
#include "frontend/xgrammar/xgrammar.h"
#include "grammar/suggest.h"

namespace weir::frontend::xgrammar {

namespace {

// The kind of value after an option's name.
enum class Takes : std::uint8_t { kNothing, kInteger, kNumber, kString, kStringOrNothing };

struct Option {
  std::string_view name;
  Takes takes;
};

constexpr std::array kOptions{
    Option{"capture", Takes::kStringOrNothing},
    Option{"lazy", Takes::kNothing},
    Option{"max_chars", Takes::kInteger},
    Option{"max_tokens", Takes::kInteger},
    Option{"temperature", Takes::kNumber},
    Option{"stop_capture", Takes::kString},
    Option{"capture_hidden_suffix_bytes", Takes::kInteger},
    Option{"capture_hidden_stop_bytes", Takes::kInteger},
    Option{"capture_hidden_body_rule_id", Takes::kInteger},
    Option{"capture_hidden_marker_rule_id", Takes::kInteger},
};

Error error_at(ErrorCode code, SourceRange where, std::string message, std::string hint = {}) {
  return Error{code, std::move(message), where, std::move(hint), {}};
}

class OptionReader {
 public:
  OptionReader(std::string_view text, std::string_view rule, SourceRange where, Reading& reading)
      : rule_(rule), values_(text, {where.start + 1, where.end - 1}), reading_(reading) {}

  Result<ebnf::RuleOptions> run() {
    do {
      if (auto done = option(); !done) return tl::unexpected(std::move(done.error()));
    } while (values_.take(','));
    values_.skip_blanks();
    if (!values_.at_end()) return tl::unexpected(values_.expected("`,` or `]`"));
    return std::move(options_);
  }

 private:
  Result<void> option() {
    values_.skip_blanks();
    const std::size_t start = values_.pos();
    const std::string_view name = values_.name();
    const SourceRange where{start, values_.pos()};
    if (name.empty()) return tl::unexpected(values_.expected("the name of an option"));
    const auto known = std::ranges::find(kOptions, name, &Option::name);
    if (known == kOptions.end()) {
      std::vector<std::string_view> names;
      for (const Option& option : kOptions) names.push_back(option.name);
      return tl::unexpected(error_at(ErrorCode::kSyntax, where, "there is no option `" + std::string(name) + "`",
                                     grammar::did_you_mean(names, name)));
    }
    if (std::ranges::find(seen_, name) != seen_.end()) {
      return tl::unexpected(error_at(ErrorCode::kSyntax, where, "option `" + std::string(name) + "` is given twice"));
    }
    seen_.push_back(name);
    Result<Value> value = value_of(*known, where);
    if (!value) return tl::unexpected(std::move(value.error()));
    return apply(name, *value, where);
  }

  // Reads the value of an option; an empty tuple if there is none.
  Result<Value> value_of(const Option& option, SourceRange where) {
    const bool has_value = values_.take('=');
    const std::string name(option.name);
    if (!has_value) {
      if (option.takes == Takes::kNothing || option.takes == Takes::kStringOrNothing) return Value{.where = where};
      return tl::unexpected(error_at(ErrorCode::kSyntax, where, "option `" + name + "` needs a value",
                                     "it is written `" + name + "=...`"));
    }
    if (option.takes == Takes::kNothing) {
      return tl::unexpected(error_at(ErrorCode::kSyntax, where, "option `" + name + "` takes no value"));
    }
    if (option.takes == Takes::kNumber) return number();
    Result<Value> value = values_.value();
    if (!value) return value;
    const bool is_string = value->kind == ValueKind::kString;
    if (is_string == (option.takes != Takes::kInteger) && (is_string || value->kind == ValueKind::kInteger))
      return value;
    return tl::unexpected(error_at(
        ErrorCode::kSyntax, value->where,
        "option `" + name + "` takes " + (option.takes == Takes::kInteger ? "a whole number" : "a string in quotes")));
  }

  Result<Value> number() {
    values_.skip_blanks();
    const std::size_t start = values_.pos();
    const std::string_view word = values_.name();
    const SourceRange where{start, values_.pos()};
    if (const std::optional<float> read = grammar::read_temperature(word)) {
      options_.temperature = *read;
      return Value{.where = where};
    }
    return tl::unexpected(error_at(ErrorCode::kSyntax, where, "`temperature` must be a number of at least 0"));
  }

  Result<void> apply(std::string_view name, const Value& value, SourceRange where) {
    if (name == "lazy") {
      options_.mode = base::LexemeMode::kLazy;
      return {};
    }
    if (name == "capture") {
      options_.capture = value.kind == ValueKind::kString ? value.string : std::string(rule_);
      if (!options_.capture.empty()) return {};
      return tl::unexpected(error_at(ErrorCode::kSyntax, value.where, "the name of a capture must not be empty"));
    }
    if (name == "max_chars") {
      if (value.integer > reading_.limits.repeat_count) {
        return tl::unexpected(Error{ErrorCode::kLimitExceeded,
                                    "count above the limit of " + std::to_string(reading_.limits.repeat_count),
                                    value.where,
                                    {},
                                    "repeat_count"});
      }
      options_.max_chars = static_cast<std::uint32_t>(value.integer);
      return {};
    }
    if (name == "temperature") return {};  // number() has stored it
    if (name == "max_tokens") {
      if (value.integer > grammar::kMaxTokenLimit) {
        return tl::unexpected(
            error_at(ErrorCode::kInvalidArgument, where,
                     "`max_tokens` must be an integer from 0 to " + std::to_string(grammar::kMaxTokenLimit)));
      }
      options_.max_tokens = static_cast<std::uint32_t>(value.integer);
      return {};
    }
    return tl::unexpected(error_at(ErrorCode::kUnsupported, where, "`" + std::string(name) + "` is not supported",
                                   "XGrammar writes it when it prints a Lark grammar: read that as `lark`"));
  }

  std::string_view rule_;
  ValueReader values_;
  Reading& reading_;
  std::vector<std::string_view> seen_;
  ebnf::RuleOptions options_;
};

}  // namespace

Result<ebnf::RuleOptions> read_options(std::string_view text, std::string_view rule, SourceRange where,
                                       Reading& reading) {
  return OptionReader(text, rule, where, reading).run();
}

}  // namespace weir::frontend::xgrammar
