#include "oracle/competing.h"

#include <algorithm>
#include <utility>

namespace weir::oracle {

CompetingLexer::CompetingLexer(CompetingGrammar grammar, std::string_view alphabet) : grammar_(std::move(grammar)) {
  for (const CompetingTerminal& terminal : grammar_.terminals) dfas_.emplace_back(terminal.regex, alphabet);
}

std::set<std::size_t> CompetingLexer::competitors(const std::set<Sequence>& read, bool is_first) const {
  std::set<std::size_t> result;
  for (const Sequence& sequence : grammar_.sequences) {
    for (const Sequence& beginning : read) {
      const bool goes_on =
          beginning.size() < sequence.size() && std::equal(beginning.begin(), beginning.end(), sequence.begin());
      if (goes_on) result.insert(sequence[beginning.size()]);
    }
  }
  for (std::size_t t = 0; t < grammar_.terminals.size() && !is_first; ++t) {
    if (grammar_.terminals[t].ignored) result.insert(t);
  }
  return result;
}

// Returns the lexeme at the start of `rest` and its terminals; no terminals if the text is refused.
CompetingLexer::Lexeme CompetingLexer::lexeme(const std::set<std::size_t>& competitors, std::string_view rest) const {
  Lexeme longest;
  for (std::size_t size = 1; size <= rest.size(); ++size) {
    Lexeme here{size, {}};
    bool goes_on = false;
    bool has_shortest = false;
    for (const std::size_t t : competitors) {
      const Dfa::State state = dfas_[t].run(rest.substr(0, size));
      goes_on = goes_on || dfas_[t].live(state);
      if (!dfas_[t].accepting(state)) continue;
      here.terminals.push_back(t);
      has_shortest = has_shortest || grammar_.terminals[t].shortest;
    }
    if (has_shortest) {
      std::erase_if(here.terminals, [&](std::size_t t) { return !grammar_.terminals[t].shortest; });
      return here;
    }
    if (!goes_on) break;
    longest = here;
  }
  return longest;
}

bool CompetingLexer::is_member(std::string_view text) const {
  std::set<Sequence> read{{}};
  bool is_first = true;
  while (!text.empty()) {
    const Lexeme next = lexeme(competitors(read, is_first), text);
    std::set<Sequence> now;
    for (const std::size_t t : next.terminals) {
      for (Sequence sequence : read) {
        if (!grammar_.terminals[t].ignored) sequence.push_back(t);
        now.insert(std::move(sequence));
      }
    }
    if (now.empty()) return false;
    // A terminal that continues no sequence yields no prefix of a sequence, so it drops out by itself.
    read = std::move(now);
    text.remove_prefix(next.size);
    is_first = false;
  }
  return std::any_of(grammar_.sequences.begin(), grammar_.sequences.end(),
                     [&](const Sequence& sequence) { return read.contains(sequence); });
}

std::string to_lark(const CompetingGrammar& grammar, std::string_view universe) {
  const auto name = [&](std::size_t t) { return (grammar.terminals[t].shortest ? "t" : "T") + std::to_string(t); };
  std::string text = "start: ";
  for (std::size_t i = 0; i < grammar.sequences.size(); ++i) {
    if (i > 0) text += " | ";
    for (const std::size_t t : grammar.sequences[i]) text += name(t) + " ";
  }
  text += "\n";
  for (std::size_t t = 0; t < grammar.terminals.size(); ++t) {
    const std::string regex = "/" + print(*grammar.terminals[t].regex, Syntax::kRegex, Groups::kNeeded, universe) + "/";
    if (grammar.terminals[t].ignored) {
      text += "%ignore " + regex + "\n";
    } else {
      text += name(t) + (grammar.terminals[t].shortest ? "[lazy]: " : ": ") + regex + "\n";
    }
  }
  return text;
}

}  // namespace weir::oracle
