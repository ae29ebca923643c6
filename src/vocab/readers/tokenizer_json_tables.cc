#include "vocab/readers/tokenizer_json_tables.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

namespace weir::vocab {

namespace {

using Entries = std::vector<TokenizerJson::Entry>;

// Removes each entry for which a later one has the same name.
void keep_last_of_equal_names(Entries& entries) {
  std::vector<std::size_t> hashes;
  hashes.reserve(entries.size());
  for (const auto& entry : entries) hashes.push_back(std::hash<std::string>()(entry.name));
  std::sort(hashes.begin(), hashes.end());
  if (std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end()) return;  // so all names differ
  std::map<std::string_view, std::size_t> last;
  for (std::size_t i = 0; i < entries.size(); ++i) last[entries[i].name] = i;
  Entries kept;
  kept.reserve(last.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (last.find(entries[i].name)->second == i) kept.push_back(entries[i]);
  }
  entries = std::move(kept);
}

// Receives the values of the file from nlohmann/json's parser. Where a member occurs twice, the last one counts, as in
// the values that the library itself builds.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(TokenizerJson& out) : out_(out) {}

  bool null() override { return value(nullptr); }
  bool boolean(bool given) override { return value(given); }
  bool number_integer(number_integer_t given) override { return value(given); }
  bool number_unsigned(number_unsigned_t given) override {
    if (table_ != Table::kVocab || inside_ > 0) return value(given);
    const bool fits = given <= UINT32_MAX;
    out_.vocab.push_back({std::move(key_), fits ? std::optional(static_cast<std::uint32_t>(given)) : std::nullopt});
    return true;
  }
  bool number_float(number_float_t given, const string_t& /*text*/) override { return value(given); }
  bool binary(binary_t& /*given*/) override { return false; }  // a text has none

  bool string(string_t& given) override {
    if (table_ != Table::kMerges) return value(std::move(given));
    if (inside_ == 0) {
      const std::size_t space = given.find(' ');
      if (space == std::string::npos) return no_pair();
      out_.merges.emplace_back(given.substr(0, space), given.substr(space + 1));
      return true;
    }
    if (parts_ == 0) out_.merges.emplace_back(std::move(given), std::string());
    if (parts_ == 1) out_.merges.back().second = std::move(given);
    ++parts_;
    return true;
  }

  bool key(string_t& given) override {
    if (table_ != Table::kNone && inside_ > 0) return true;
    key_ = std::move(given);
    return true;
  }

  bool start_object(std::size_t /*size*/) override {
    if (table_ == Table::kNone && is_at_model("vocab")) return begin_table(Table::kVocab, Json::object());
    return table_ == Table::kNone ? open(Json::object()) : open_in_table();
  }
  bool start_array(std::size_t /*size*/) override {
    if (table_ == Table::kNone && is_at_model("merges")) return begin_table(Table::kMerges, Json::array());
    if (table_ == Table::kMerges && inside_ == 0) {
      inside_ = 1;
      parts_ = 0;
      return true;
    }
    return table_ == Table::kNone ? open(Json::array()) : open_in_table();
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t /*at*/, const std::string& /*token*/, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  enum class Table : std::uint8_t { kNone, kVocab, kMerges };

  // A scalar, or a string outside of the merges.
  bool value(Json given) {
    switch (table_) {
      case Table::kNone: static_cast<void>(add(std::move(given))); return true;
      case Table::kVocab:
        if (inside_ == 0) out_.vocab.push_back({std::move(key_), std::nullopt});
        return true;
      case Table::kMerges: return no_pair();
    }
    return true;
  }

  bool no_pair() {
    out_.merges_are_pairs = false;
    return true;
  }

  // A list or an object within a table, where there should be none.
  bool open_in_table() {
    if (table_ == Table::kMerges) out_.merges_are_pairs = false;
    if (table_ == Table::kVocab && inside_ == 0) out_.vocab.push_back({std::move(key_), std::nullopt});
    parts_ = 0;
    ++inside_;
    return true;
  }

  bool open(Json empty) {
    Json* added = add(std::move(empty));
    in_model_ = in_model_ || (stack_.size() == 1 && key_ == "model");
    stack_.push_back(added);
    return true;
  }

  bool close() {
    if (table_ == Table::kNone) {
      stack_.pop_back();
      if (stack_.size() == 1) in_model_ = false;
    } else if (inside_ > 0) {
      if (table_ == Table::kMerges && inside_ == 1 && parts_ != 2) out_.merges_are_pairs = false;
      --inside_;
    } else {
      table_ = Table::kNone;
    }
    return true;
  }

  [[nodiscard]] bool is_at_model(std::string_view key) const {
    return in_model_ && stack_.size() == 2 && stack_.back()->is_object() && key_ == key;
  }

  bool begin_table(Table table, Json empty) {
    static_cast<void>(add(std::move(empty)));
    table_ = table;
    inside_ = 0;
    return true;
  }

  // Adds a value to the object or list that is open. Returns it; the address is valid until that one is closed.
  Json* add(Json given) {
    if (stack_.empty()) return &(out_.file = std::move(given));
    if (stack_.back()->is_array()) return &stack_.back()->emplace_back(std::move(given));
    const bool is_model = stack_.size() == 1 && key_ == "model";
    if (is_model || is_at_model("vocab")) out_.vocab.clear();
    if (is_model || is_at_model("merges")) {
      out_.merges.clear();
      out_.merges_are_pairs = true;
    }
    Json& member = (*stack_.back())[key_];
    member = std::move(given);
    return &member;
  }

  TokenizerJson& out_;
  std::vector<Json*> stack_;  // the objects and lists that are open, those of tables excepted
  std::string key_;           // of the next value
  bool in_model_ = false;
  Table table_ = Table::kNone;
  std::size_t inside_ = 0;  // the number of objects and lists that are open within the table
  std::size_t parts_ = 0;   // the number of strings in the merge that is open
};

}  // namespace

Result<TokenizerJson> parse_tokenizer_json(std::string_view data, std::string_view name) {
  if (auto done = check_json_depth(data, name); !done) return tl::unexpected(std::move(done).error());
  TokenizerJson out;
  Builder builder(out);
  if (!Json::sax_parse(data.begin(), data.end(), &builder)) return tl::unexpected(json_error(data, name));
  keep_last_of_equal_names(out.vocab);
  return out;
}

}  // namespace weir::vocab
