#include "engine/automaton/warm_up.h"

#include <algorithm>
#include <exception>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/work.h"
#include "engine/automaton/background_work.h"
#include "engine/automaton/terminal_samples.h"
#include "engine/search_bounds.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

using base::Limit;
using base::Work;

namespace {

class WarmUpSearch {
 public:
  WarmUpSearch(const Compiled& compiled, std::uint64_t work) : compiled_(compiled), automaton_(compiled.automaton()) {
    left_ = work - std::min(work, automaton_->warm_ups().work.load(std::memory_order_relaxed));
    stops_ = automaton_->warm_ups().stops.load(std::memory_order_relaxed);
  }

  void run();
  [[nodiscard]] const WarmUpReport& report() const { return report_; }

 private:
  struct Station {
    StateId state{};
    std::vector<std::string> window;       // the last lexemes of the way
    std::vector<std::uint32_t> taken;      // the last terminals of the way
    std::string text;                      // the text of the way if the grammar follows the text; else empty
    std::vector<std::uint32_t> terminals;  // those that may follow, in the order in which they are tried
    bool is_open = false;                  // `terminals` are known
  };
  struct Samples {
    std::vector<std::string> texts;
    bool is_all = false;  // there are no others
  };
  // A lexeme to be tried: sample number `sample` of terminal number `rank` of a station.
  struct Try {
    double cost = 0;
    std::uint32_t station = 0, rank = 0, sample = 0;
    friend bool operator<(const Try& a, const Try& b) { return a.cost > b.cost; }  // the cheapest is on top
  };
  template <typename Piece>
  bool do_piece(Piece piece);
  bool try_lexeme(const Try& next);
  void add_tries_after(const Try& next);
  // What these change is shared by all matchers and cannot be undone halfway, so they are noexcept like the members of
  // GrammarMatcher that explore.
  void open(Station& station) noexcept;
  const std::vector<std::string>& samples_of(std::uint32_t terminal, std::size_t least) noexcept;
  StateId step(StateId state, char byte, std::string& text) noexcept;
  bool compute_mask(StateId state, TokenPosition position) noexcept;
  void add_station(StateId state, const Station& from, std::uint32_t terminal, const std::string& sample, double cost);
  std::vector<std::size_t> token_ends(std::string_view text) const;
  [[nodiscard]] bool is_full();

  const Compiled& compiled_;
  std::shared_ptr<SharedAutomaton> automaton_;
  std::uint64_t left_ = 0;
  std::uint32_t stops_ = 0;     // calls of stop_warm_up before this search began
  bool leaves_out_ = false;     // masks that take too many steps
  std::size_t text_bytes_ = 0;  // of all stations
  WarmUpReport report_;
  std::vector<Station> stations_;
  std::priority_queue<Try> tries_;
  std::unordered_set<std::uint32_t> seen_;              // states of stations
  std::unordered_map<std::uint32_t, Samples> samples_;  // by terminal
};

// Returns true if the automaton has reached half of a limit, or has been replaced by another one.
bool WarmUpSearch::is_full() {
  const Limits& limits = automaton_->program().limits;
  if (automaton_->memory_bytes() > limits.state_memory / 2 || compiled_.automaton() != automaton_) return true;
  return automaton_->inspect([&](const auto& /*grammar*/, const lexer::Lexer& lexer, const auto& /*rows*/) {
    return lexer.exprs().node_count() > limits.regex_nodes / 2 || lexer.state_count() > limits.lexer_states / 2;
  });
}

// Does a piece of work (in_pieces). Returns false if no work is left, or another thread has asked to stop.
template <typename Piece>
bool WarmUpSearch::do_piece(Piece piece) {
  const WorkDone done = in_pieces(*automaton_, left_, piece);
  left_ -= done.steps;
  report_.work += done.steps;
  leaves_out_ = leaves_out_ || !done.is_whole;
  automaton_->warm_ups().work.fetch_add(done.steps, std::memory_order_relaxed);
  return left_ != 0 && automaton_->warm_ups().stops.load(std::memory_order_relaxed) == stops_;
}

StateId WarmUpSearch::step(StateId state, char byte, std::string& text) noexcept {
  const StateId next = automaton_->step(state, static_cast<std::uint8_t>(byte));
  if (!automaton_->program().follows_text || next == StateId::kDead || is_limit(next)) return next;
  text.push_back(byte);
  return automaton_->follows_text(next) ? automaton_->state_for_text(next, text) : next;
}

// Returns false if this call met the limit on its work.
bool WarmUpSearch::compute_mask(StateId state, TokenPosition position) noexcept {
  if (automaton_->is_mask_known(state, position)) return true;
  const Limit limit = automaton_->mask(state, position).limit;
  if (limit == Limit::kNone) ++report_.masks;
  return limit != Limit::kCallWork;
}

// Returns the positions in `text` where its tokens end; only the end of `text` if its tokens do not decode to it.
std::vector<std::size_t> WarmUpSearch::token_ends(std::string_view text) const {
  Work::charge(kStepsForTokenizedByte * text.size());
  const vocab::Vocabulary& vocabulary = automaton_->program().tokenizer.vocabulary();
  const Result<std::vector<std::uint32_t>> tokens = automaton_->program().tokenizer.tokenize(text);
  std::vector<std::size_t> ends;
  std::size_t end = 0;
  for (std::size_t i = 0; tokens && i < tokens->size(); ++i) {
    end += vocabulary.token_bytes((*tokens)[i]).size();
    ends.push_back(end);
  }
  // If the tokenizer adds a leading space, its tokens have one more byte.
  if (ends.empty() || end < text.size() || end > text.size() + 1) return {text.size()};
  for (std::size_t& e : ends) e -= end - text.size();
  return ends;
}

// Finds the terminals that may follow the station, in the order in which they are tried.
void WarmUpSearch::open(Station& station) noexcept {
  if (station.is_open) return;
  const std::vector<Thread> threads = automaton_->threads(station.state);
  automaton_->inspect([&](const auto& /*grammar*/, const auto& /*lexer*/, const earley::RowTable& rows) {
    for (const Thread& thread : threads) {
      if (!thread.fresh) continue;
      const auto expected = rows.terminals(thread.row);
      station.terminals.insert(station.terminals.end(), expected.begin(), expected.end());
    }
  });
  for (auto last = station.taken.rbegin(); last != station.taken.rend(); ++last) {
    const auto found = std::find(station.terminals.begin(), station.terminals.end(), *last);
    if (found == station.terminals.end() || station.terminals.size() < 3) continue;
    std::rotate(station.terminals.begin(), found + 1, station.terminals.end());
    break;
  }
  Work::charge(station.terminals.size() / kEntriesForOneStep);
  station.is_open = true;
}

// Returns samples of a terminal: `least` or more of them, or all that there are. The search for others than the first
// is made when the second is asked for.
const std::vector<std::string>& WarmUpSearch::samples_of(std::uint32_t terminal, std::size_t least) noexcept {
  Samples& known = samples_[terminal];
  if (known.is_all || (!known.texts.empty() && least == 1)) return known.texts;
  const std::size_t most = least == 1 ? 1 : kMaxSamples;
  known.texts = automaton_->inspect([&](const grammar::GrowingCfg& grammar, lexer::Lexer& lexer, const auto& /*rows*/) {
    return sample_members(lexer.exprs(), grammar.cfg().terminals[terminal].expr, most);
  });
  known.is_all = (most != 1 || known.texts.empty()) && !Work::is_met();
  return known.texts;
}

void WarmUpSearch::add_station(StateId state, const Station& from, std::uint32_t terminal, const std::string& sample,
                               double cost) {
  if (!seen_.insert(static_cast<std::uint32_t>(state)).second || text_bytes_ > kMaxStationTextBytes) return;
  Station station;
  station.state = state;
  station.window = from.window;
  station.window.push_back(sample);
  if (station.window.size() > kWindowLexemes) station.window.erase(station.window.begin());
  station.taken = from.taken;
  station.taken.push_back(terminal);
  if (station.taken.size() > kRememberedTerminals) station.taken.erase(station.taken.begin());
  if (automaton_->program().follows_text) station.text = from.text + sample;
  text_bytes_ += station.text.size();
  tries_.push({cost, static_cast<std::uint32_t>(stations_.size()), 0, 0});
  stations_.push_back(std::move(station));
}

// Walks one lexeme from a station. Returns false if this call met the limit on its work.
bool WarmUpSearch::try_lexeme(const Try& next) {
  Station& from = stations_[next.station];
  open(from);
  if (next.rank >= from.terminals.size()) return true;
  const std::uint32_t terminal = from.terminals[next.rank];
  const std::vector<std::string>& samples = samples_of(terminal, next.sample + 1);
  if (Work::is_met()) return false;
  StateId at = from.state;
  if (next.sample < samples.size()) {
    const std::string& sample = samples[next.sample];
    std::string before;
    for (const std::string& lexeme : from.window) before += lexeme;
    const std::size_t begin = before.size();
    const std::vector<std::size_t> ends = token_ends(before + sample);
    std::string text = from.text;
    auto end = std::find_if(ends.begin(), ends.end(), [&](std::size_t e) { return e >= begin; });
    for (std::size_t i = 0; at != StateId::kDead && !is_limit(at); ++i) {
      // The last token may go on in the next lexeme, so its end gets a mask only where the text may end.
      if (end != ends.end() && *end == begin + i) {
        ++end;
        if ((i < sample.size() || automaton_->accepts(at)) && !compute_mask(at, TokenPosition::kInside)) return false;
      }
      if (i == sample.size()) break;
      at = step(at, sample[i], text);
    }
    if (at == limit_state(Limit::kCallWork)) return false;
    // A copy, because a new station may move the others.
    if (at != StateId::kDead && !is_limit(at))
      add_station(at, Station(from), terminal, sample, next.cost + kLexemeCost);
  }
  return true;
}

// Adds the next sample of the same terminal and the next terminal of the same station.
void WarmUpSearch::add_tries_after(const Try& next) {
  const Station& from = stations_[next.station];
  if (next.rank >= from.terminals.size()) return;
  if (next.sample + 1 < kMaxSamples && next.sample < samples_[from.terminals[next.rank]].texts.size()) {
    const double cost = next.sample == 0 ? kSecondSampleCost : kFurtherSampleCost;
    tries_.push({next.cost + cost, next.station, next.rank, next.sample + 1});
  }
  if (next.sample == 0) {
    tries_.push(
        {next.cost + (next.rank == 0 ? kOtherTerminalCost : kFurtherTerminalCost), next.station, next.rank + 1, 0});
  }
}

void WarmUpSearch::run() {
  report_.is_complete = automaton_->warm_ups().is_complete.load(std::memory_order_relaxed);
  if (automaton_->has_bounds() || left_ == 0 || report_.is_complete) return;
  StateId start{};
  const bool goes_on = do_piece([&] {
    start = automaton_->start();
    const TokenPosition position =
        automaton_->program().tokenizer.drops_leading_space() ? TokenPosition::kFirst : TokenPosition::kInside;
    return compute_mask(start, position);
  });
  if (!goes_on || is_limit(start)) return;
  seen_.insert(static_cast<std::uint32_t>(start));
  stations_.push_back({});
  stations_.back().state = start;
  tries_.push({});
  while (!tries_.empty() && !is_full()) {
    const Try next = tries_.top();
    tries_.pop();
    if (!do_piece([&] { return try_lexeme(next); })) return;
    add_tries_after(next);
  }
  report_.is_complete = tries_.empty() && !leaves_out_;
  if (report_.is_complete) automaton_->warm_ups().is_complete.store(true, std::memory_order_relaxed);
}

}  // namespace

WarmUpReport warm_up(const Compiled& compiled, const WarmUpOptions& options) noexcept {
  WarmUpSearch search(compiled, options.work);
#if defined(__cpp_exceptions)
  try {
    search.run();
  } catch (const std::exception&) {  // std::bad_alloc: there is no memory for more texts
  }
#else
  search.run();
#endif
  return search.report();
}

void stop_warm_up(const Compiled& compiled) noexcept {
  compiled.automaton()->warm_ups().stops.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace weir::engine
