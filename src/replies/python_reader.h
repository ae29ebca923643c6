// PythonReader: turns the arguments of a call in Python into JSON while they are written.
//
// WHICH  `key=value, ...` up to the bracket that ends the call. Values are literals of Python (also lists, tuples and
//        dictionaries) or of JSON. A string that can stand in both is what JSON says; Python's other escapes are read, too.
#ifndef WEIR_SRC_REPLIES_PYTHON_READER_H_
#define WEIR_SRC_REPLIES_PYTHON_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "replies/bracket_reader.h"

namespace weir::replies {

/// Returns true for a byte of a name of Python.
bool is_python_name(char c);

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
  enum class Place : std::uint8_t {
    kFirst,
    kNext,
    kKey,
    kAfterKey,
    kColon,
    kValue,
    kWord,
    kString,
    kEscape,
    kHex,
    kAfter
  };
  Step begin(char c, std::string& out);
  Step value(char c, std::string& out);
  Step string(char c, std::string& out);
  Step escape(char c, std::string& out);
  Step hex(char c, std::string& out);
  Step after(char c, std::string& out);
  Step close(char c, std::string& out);

  std::size_t max_key_ = 0;
  Place place_ = Place::kFirst;
  std::string open_ = "(";  // brackets; the first one is the call's, `t` is that of a tuple
  std::string word_ = {};   // a key, a bare value, or the digits of an escape
  char quote_ = 0;
  bool is_key_ = false;  // the string is a key
  std::uint8_t hex_left_ = 0;
};

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_PYTHON_READER_H_
