// Unicode's form NFC by its definition, for a few characters, for tests of canonical masks.
//
// HOW    Characters are decomposed, marks sorted, and characters composed, one after another. The tables are written by
//        hand and have only the characters of small_nfc.cc; ASCII and others that the tables do not name stay as they are.
#ifndef WEIR_TESTS_ORACLE_SMALL_NFC_H_
#define WEIR_TESTS_ORACLE_SMALL_NFC_H_

#include <string>
#include <string_view>

namespace weir::oracle {

/// Returns `text`, which is valid UTF-8, in NFC.
std::string small_nfc(std::string_view text);

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_SMALL_NFC_H_
