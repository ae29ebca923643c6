// PythonReader: turns the arguments of a call in Python into JSON while they are written.
//
// WHICH  `key=value, ...` up to the bracket that ends the call. Values are literals of Python (also lists, tuples and
//        dictionaries) or of JSON. Strings are what Python says. What Python reads and this reader does not (`\N{...}`,
//        a value in brackets, which is no tuple) is no call.
#ifndef WEIR_SRC_REPLIES_PYTHON_READER_H_
#define WEIR_SRC_REPLIES_PYTHON_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "replies/bracket_reader.h"

namespace weir::replies {

/// Returns true for a byte of a name of Python.
bool is_python_name(char c);

/// An escape of a string of Python.
struct PythonEscape {
  enum class Is : std::uint8_t {
    kWhole,
    kBeginning,  ///< What follows decides what it is, or how long.
    kBad,        ///< Python refuses it, or it is a character by its name.
  };
  Is is = Is::kBad;
  std::size_t length = 0;  ///< Bytes that are read; if it is whole.
  std::string text = {};   ///< What they denote, in UTF-8; of a surrogate the three bytes that UTF-8 would use for it.
};
/// Reads what a text of a string begins with. Python keeps a backslash that begins no escape: it is then all that is read.
/// Precondition: the text begins with a backslash.
PythonEscape read_python_escape(std::string_view text);

class PythonReader {
 public:
  using Step = BracketReader::Step;
  /// Begins anew. A key of more than so many bytes is none.
  void reset(std::size_t max_key) {
    *this = {};
    max_key_ = max_key;
  }
  /// Reads a byte after the bracket that begins the arguments. Appends the JSON text that has become certain: the first
  /// of it with the first key, or with the end.
  Step feed(char c, std::string& out);

 private:
  enum class Place : std::uint8_t { kFirst, kNext, kKey, kAfterKey, kColon, kValue, kWord, kString, kEscape, kAfter };
  Step begin(char c, std::string& out);
  Step value(char c, std::string& out);
  Step string(char c, std::string& out);
  Step escape(char c, std::string& out);
  Step after(char c, std::string& out);
  Step close(char c, std::string& out);

  std::size_t max_key_ = 0;
  Place place_ = Place::kFirst;
  // Brackets; the first one is the call's. `(` within it is one of which it is not known that it is a tuple's, `t` one of a
  // tuple.
  std::string open_ = "(";
  std::string word_ = {};  // a key, a bare value, or an escape
  char quote_ = 0;
  bool is_key_ = false;  // the string is a key
};

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_PYTHON_READER_H_
