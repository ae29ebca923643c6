#include "exhaustive/json_cfg.h"

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weir::testing {
namespace {

using oracle::ByteSet;
using oracle::Cfg;
using oracle::Symbol;

ByteSet range(unsigned first, unsigned last) {
  ByteSet set;
  for (unsigned byte = first; byte <= last; ++byte) set.set(byte);
  return set;
}

// A grammar under construction. A name that is used as a symbol is a rule and must have productions.
class Rules {
 public:
  Symbol operator[](const std::string& name) {
    const auto [it, is_new] = ids_.try_emplace(name, cfg_.names.size());
    if (is_new) cfg_.add_rule(name);
    return Cfg::rule(it->second);
  }
  void add(const std::string& name, std::vector<Symbol> symbols) { cfg_.add((*this)[name].rule, std::move(symbols)); }
  void add_each(const std::string& name, std::initializer_list<std::vector<Symbol>> alternatives) {
    for (const std::vector<Symbol>& symbols : alternatives) add(name, symbols);
  }
  /// Makes `name` a rule for zero or more `item`.
  void add_star(const std::string& name, const Symbol& item) { add_each(name, {{}, {(*this)[name], item}}); }
  Cfg take(const std::string& start) {
    cfg_.start = ids_.at(start);
    return std::move(cfg_);
  }

 private:
  Cfg cfg_;
  std::map<std::string, std::size_t> ids_;
};

Symbol of(const ByteSet& set) { return {.bytes = set}; }
Symbol any(std::string_view bytes) { return Cfg::bytes(bytes); }

// Adds well-formed UTF-8 of more than one byte (The Unicode Standard, table 3-7).
void add_multibyte(Rules& g, const std::string& name) {
  const Symbol tail = of(range(0x80, 0xBF));
  g.add_each(name, {{of(range(0xC2, 0xDF)), tail},
                    {of(range(0xE0, 0xE0)), of(range(0xA0, 0xBF)), tail},
                    {of(range(0xE1, 0xEC) | range(0xEE, 0xEF)), tail, tail},
                    {of(range(0xED, 0xED)), of(range(0x80, 0x9F)), tail},
                    {of(range(0xF0, 0xF0)), of(range(0x90, 0xBF)), tail, tail},
                    {of(range(0xF1, 0xF3)), tail, tail, tail},
                    {of(range(0xF4, 0xF4)), of(range(0x80, 0x8F)), tail, tail}});
}

const Symbol kDigit = of(range('0', '9'));

}  // namespace

Cfg json_cfg() {
  Rules g;
  const Symbol ws = g["ws"];
  const Symbol value = g["value"];
  g.add("json", {ws, value, ws});
  g.add_star("ws", any(" \t\n\r"));
  g.add_each("value", {{g["object"]},
                       {g["array"]},
                       {g["string"]},
                       {g["number"]},
                       Cfg::text("true"),
                       Cfg::text("false"),
                       Cfg::text("null")});
  g.add_each("object", {{any("{"), ws, ws, any("}")}, {any("{"), ws, g["members"], ws, any("}")}});
  g.add_each("members", {{g["member"]}, {g["members"], ws, any(","), ws, g["member"]}});
  g.add("member", {g["string"], ws, any(":"), ws, value});
  g.add_each("array", {{any("["), ws, ws, any("]")}, {any("["), ws, g["elements"], ws, any("]")}});
  g.add_each("elements", {{value}, {g["elements"], ws, any(","), ws, value}});
  g.add("string", {any("\""), g["characters"], any("\"")});
  g.add_star("characters", g["character"]);
  ByteSet plain = range(0x20, 0x7F);
  plain.reset('"');
  plain.reset('\\');
  const Symbol hex = any("0123456789abcdefABCDEF");
  g.add_each(
      "character",
      {{of(plain)}, {g["multibyte"]}, {any("\\"), any("\"\\/bfnrt")}, {any("\\"), any("u"), hex, hex, hex, hex}});
  add_multibyte(g, "multibyte");
  g.add("number", {g["minus"], g["integer"], g["fraction"], g["exponent"]});
  g.add_each("minus", {{}, {any("-")}});
  g.add_each("integer", {{any("0")}, {of(range('1', '9')), g["digits"]}});
  g.add_star("digits", kDigit);
  g.add_each("fraction", {{}, {any("."), kDigit, g["digits"]}});
  g.add_each("exponent", {{}, {any("eE"), g["sign"], kDigit, g["digits"]}});
  g.add_each("sign", {{}, {any("+-")}});
  return g.take("json");
}

Cfg expressions_cfg() {
  Rules g;
  g.add_each("expr", {{g["term"]}, {g["expr"], any("+-"), g["term"]}});
  g.add_each("term", {{g["unary"]}, {g["term"], any("*/"), g["unary"]}});
  g.add_each("unary", {{g["power"]}, {any("-"), g["unary"]}});
  g.add_each("power", {{g["atom"]}, {g["atom"], any("^"), g["unary"]}});
  g.add_each(
      "atom",
      {{g["number"]}, {g["name"]}, {g["name"], any("("), g["arguments"], any(")")}, {any("("), g["expr"], any(")")}});
  g.add_each("arguments", {{}, {g["list"]}});
  g.add_each("list", {{g["expr"]}, {g["list"], any(","), g["expr"]}});
  g.add_each("number", {{g["digits"]}, {g["digits"], any("."), g["digits"]}});
  g.add_each("digits", {{kDigit}, {g["digits"], kDigit}});
  g.add_each("name", {{of(range('a', 'z'))}, {g["name"], of(range('a', 'z') | range('0', '9'))}});
  return g.take("expr");
}

}  // namespace weir::testing
