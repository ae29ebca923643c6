// The structs of the C interface, member by member: where a member is in C and in C++, and how one becomes the other.
//
// WHAT   members.h and members.cc are written by tools/generate from the structs in include/weir: a Table for each struct.
//        options.cc reads options by their tables and writes defaults and counts.
// WHY    Tables, not code for each struct, because the WebAssembly module pays for every byte, and because a member that
//        one of the structs lacks does not compile.
#ifndef WEIR_SRC_C_API_MEMBER_H_
#define WEIR_SRC_C_API_MEMBER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "weir/weir.h"
#include "weir_c.h"

namespace weir::c_api {

enum class Kind : std::uint8_t {
  kFlag,
  kU32,
  kMaybeU32,  ///< In C, 0 is no value.
  kU64,
  kSize,  ///< In C++, a size_t that is smaller than the number in C.
  kText,
  kWord,
  kIds,
  kMaybeIds,  ///< In C, an empty list is no value.
  kTexts,
  kStructs,  ///< A list of structs.
  kOptions,  ///< A pointer to options; NULL: the defaults.
};

struct Table;

struct Member {
  const char* name;
  std::uint16_t c, cpp;  ///< Offsets in the structs.
  Kind kind;
  std::uint8_t last;   ///< kWord: the last enumerator.
  const char* words;   ///< kWord: the name of the enumeration in C.
  const Table* items;  ///< kStructs, kOptions.
};

struct Table {
  std::span<const Member> members;
  std::size_t c_size, cpp_size;
  void* (*resize)(void* vector, std::size_t count);  ///< Resizes a vector of items, and returns its data.
};

/// The C++ struct and the table of a struct of weir_c.h.
template <typename C>
struct Of;

template <typename C, typename Cpp>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<C, bool>) return Kind::kFlag;
  if constexpr (std::is_same_v<C, weir_text>) return Kind::kText;
  if constexpr (std::is_same_v<C, std::uint64_t>) return sizeof(Cpp) == sizeof(C) ? Kind::kU64 : Kind::kSize;
  if constexpr (std::is_same_v<Cpp, std::optional<std::uint32_t>>) return Kind::kMaybeU32;
  if constexpr (std::is_same_v<C, std::uint32_t>) return Kind::kU32;
  if constexpr (std::is_same_v<C, const weir_text*>) return Kind::kTexts;
  if constexpr (std::is_same_v<Cpp, std::optional<std::vector<std::uint32_t>>>) return Kind::kMaybeIds;
  return Kind::kIds;
}

template <typename C, typename Cpp>
constexpr Table table_of(std::span<const Member> members) {
  return {members, sizeof(C), sizeof(Cpp), nullptr};
}

/// The table of a struct that is an item of lists.
template <typename C, typename Cpp>
constexpr Table item_table_of(std::span<const Member> members) {
  return {members, sizeof(C), sizeof(Cpp), [](void* vector, std::size_t count) -> void* {
            auto& items = *static_cast<std::vector<Cpp>*>(vector);
            items.resize(count);
            return items.data();
          }};
}

// Members that can be anything need no name for messages.
constexpr const char* name_for_messages(Kind kind, const char* name) {
  return kind == Kind::kFlag || kind == Kind::kU32 || kind == Kind::kMaybeU32 || kind == Kind::kU64 ? nullptr : name;
}

#define WEIR_KIND(C, S, name) kind_of<decltype(C::name), decltype(S::name)>()
#define WEIR_PLACES(C, S, name) offsetof(C, name), offsetof(S, name)
#define WEIR_MEMBER(C, S, name)                                                                                  \
  {                                                                                                              \
    name_for_messages(WEIR_KIND(C, S, name), #name), WEIR_PLACES(C, S, name), WEIR_KIND(C, S, name), 0, nullptr, \
        nullptr                                                                                                  \
  }
#define WEIR_WORD(C, S, name, last, words) \
  { #name, WEIR_PLACES(C, S, name), Kind::kWord, static_cast < std::uint8_t>(last), words, nullptr }
#define WEIR_OPTIONS(C, S, name, Item) \
  { #name, WEIR_PLACES(C, S, name), Kind::kOptions, 0, nullptr, &Of < Item> ::table }
#define WEIR_STRUCTS(C, S, name, Item) \
  { #name, WEIR_PLACES(C, S, name), Kind::kStructs, 0, nullptr, &Of < Item> ::table }
// A list is a pointer, and after it the number of items.
#define WEIR_COUNT(C, name, count) \
  static_assert(offsetof(C, count) == offsetof(C, name) + sizeof(void*) && sizeof(C::count) == sizeof(std::size_t))

}  // namespace weir::c_api

#endif  // WEIR_SRC_C_API_MEMBER_H_
