#include "c_api/options.h"

#include <cstring>

namespace weir::c_api {

namespace {

constexpr std::string_view kUnreadable =
    "`struct_size` is too small or too large, or fields are set that this library lacks";

// No vocabulary has more tokens, and no list of options more items.
constexpr std::size_t kMostItems = 1U << 24;

const std::byte* at(const void* object, std::size_t offset) { return static_cast<const std::byte*>(object) + offset; }
std::byte* at(void* object, std::size_t offset) { return static_cast<std::byte*>(object) + offset; }

template <typename T>
T load(const void* from) {
  T out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

// A list in C: a pointer, and after it the number of items.
struct List {
  const void* data;
  std::size_t size;
};

// Returns the number of bytes that a member takes in C.
std::size_t c_width(Kind kind) {
  switch (kind) {
    case Kind::kFlag: return 1;
    case Kind::kU32:
    case Kind::kMaybeU32:
    case Kind::kWord: return 4;
    case Kind::kU64:
    case Kind::kSize: return 8;
    case Kind::kText: return sizeof(weir_text);
    case Kind::kOptions: return sizeof(void*);
    case Kind::kIds:
    case Kind::kMaybeIds:
    case Kind::kTexts:
    case Kind::kStructs: break;
  }
  return sizeof(List);
}

std::string quoted(const Member& member) { return "`" + std::string(member.name) + "`"; }

Result<void> read_members(const Table& table, const void* given, std::size_t size, void* cpp);

Result<void> read_texts(const Member& member, List list, std::vector<std::string>& out) {
  out.reserve(list.size);
  for (std::size_t i = 0; i < list.size; ++i) {
    const auto text = load<weir_text>(at(list.data, i * sizeof(weir_text)));
    if (!is_valid(text)) return is_no_array(quoted(member) + ", item " + std::to_string(i) + ",");
    out.emplace_back(to_view(text));
  }
  return {};
}

Result<void> read_list(const Member& member, List list, void* to) {
  const std::size_t width = member.kind == Kind::kStructs ? member.items->c_size
                            : member.kind == Kind::kTexts ? sizeof(weir_text)
                                                          : sizeof(std::uint32_t);
  if (list.size != 0 && (list.data == nullptr || list.size > PTRDIFF_MAX / width)) return is_no_array(quoted(member));
  if (list.size > kMostItems) return bad("there are too many " + quoted(member));
  if (member.kind == Kind::kTexts) return read_texts(member, list, *reinterpret_cast<std::vector<std::string>*>(to));
  if (member.kind == Kind::kStructs) {
    void* items = member.items->resize(to, list.size);
    for (std::size_t i = 0; i < list.size; ++i) {
      const Result<void> read =
          read_members(*member.items, at(list.data, i * width), width, at(items, i * member.items->cpp_size));
      if (!read) return bad(quoted(member) + ", item " + std::to_string(i) + ": " + read.error().message);
    }
    return {};
  }
  const auto* ids = static_cast<const std::uint32_t*>(list.data);
  if (list.size == 0) return {};
  if (member.kind == Kind::kIds) {
    reinterpret_cast<std::vector<std::uint32_t>*>(to)->assign(ids, ids + list.size);
  } else {
    reinterpret_cast<std::optional<std::vector<std::uint32_t>>*>(to)->emplace(ids, ids + list.size);
  }
  return {};
}

Result<void> read_member(const Member& member, const void* from, void* to) {
  switch (member.kind) {
    case Kind::kFlag:
    case Kind::kU32:
    case Kind::kU64: std::memcpy(to, from, c_width(member.kind)); return {};
    case Kind::kMaybeU32:
      if (const auto number = load<std::uint32_t>(from); number != 0)
        *reinterpret_cast<std::optional<std::uint32_t>*>(to) = number;
      return {};
    case Kind::kSize: {
      const auto number = load<std::uint64_t>(from);
      if (number > SIZE_MAX) return bad(quoted(member) + " is more than memory can have");
      *static_cast<std::size_t*>(to) = static_cast<std::size_t>(number);
      return {};
    }
    case Kind::kText: {
      const auto text = load<weir_text>(from);
      if (!is_valid(text)) return is_no_array(quoted(member));
      *reinterpret_cast<std::string*>(to) = to_view(text);
      return {};
    }
    case Kind::kWord: {
      const auto number = load<std::int32_t>(from);
      if (number < 0 || number > member.last) return bad(quoted(member) + " is no " + member.words);
      *static_cast<std::uint8_t*>(to) = static_cast<std::uint8_t>(number);
      return {};
    }
    case Kind::kOptions: return read_struct(*member.items, load<const void*>(from), to);
    case Kind::kIds:
    case Kind::kMaybeIds:
    case Kind::kTexts:
    case Kind::kStructs: break;
  }
  return read_list(member, load<List>(from), to);
}

// Sets the members that the first `size` bytes of the C struct have.
Result<void> read_members(const Table& table, const void* given, std::size_t size, void* cpp) {
  for (const Member& member : table.members) {
    if (member.c + c_width(member.kind) > size) continue;
    if (Result<void> read = read_member(member, at(given, member.c), at(cpp, member.cpp)); !read) return read;
  }
  return {};
}

void write_member(const Member& member, const void* from, void* to) {
  switch (member.kind) {
    case Kind::kFlag:
    case Kind::kU32:
    case Kind::kU64: std::memcpy(to, from, c_width(member.kind)); break;
    case Kind::kSize: {
      const std::uint64_t number = *static_cast<const std::size_t*>(from);
      std::memcpy(to, &number, sizeof number);
      break;
    }
    case Kind::kText: {
      const std::string& text = *reinterpret_cast<const std::string*>(from);
      const weir_text written = text.empty() ? weir_text{} : to_c(text);
      std::memcpy(to, &written, sizeof written);
      break;
    }
    case Kind::kWord: {
      const std::int32_t number = *static_cast<const std::uint8_t*>(from);
      std::memcpy(to, &number, sizeof number);
      break;
    }
    default: break;  // the default of a list is empty, that of options NULL, and that of a number that may lack 0
  }
}

}  // namespace

Result<void> read_struct(const Table& table, const void* given, void* cpp) {
  if (given == nullptr) return {};
  const auto size = load<std::size_t>(given);
  if (!is_struct_size(size)) return bad(kUnreadable);
  for (std::size_t i = table.c_size; i < size; ++i) {
    if (*at(given, i) != std::byte{}) return bad(kUnreadable);
  }
  return read_members(table, given, size, cpp);
}

weir_status write_struct(const Table& table, const void* cpp, std::size_t struct_size, void* out) noexcept {
  if (out == nullptr || !is_struct_size(struct_size)) return WEIR_INVALID_ARGUMENT;
  std::memset(out, 0, struct_size);
  std::memcpy(out, &struct_size, sizeof struct_size);
  for (const Member& member : table.members) {
    if (member.c + c_width(member.kind) <= struct_size) write_member(member, at(cpp, member.cpp), at(out, member.c));
  }
  return WEIR_OK;
}

Result<std::vector<std::string>> to_strings(const weir_text* strings, std::size_t count, const Limits& limits) {
  if (!is_valid(strings, count)) return is_no_array("`strings`");
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_valid(strings[i])) return is_no_array("one of `strings`");
    if (strings[i].size > limits.text_bytes - bytes) {
      return tl::unexpected(Error{ErrorCode::kLimitExceeded,
                                  "the strings are longer than " + std::to_string(limits.text_bytes) + " bytes",
                                  {},
                                  {},
                                  "text_bytes",
                                  {}});
    }
    bytes += strings[i].size;
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.emplace_back(to_view(strings[i]));
  return out;
}

Result<GrammarSyntax> to_syntax(std::int32_t number) {
  const auto out = static_cast<GrammarSyntax>(number);
  if (number < 0 || number > UINT8_MAX || to_string(out).empty()) return bad("a number is no weir_grammar_syntax");
  return out;
}

Result<SubstringUnit> to_unit(weir_text text, std::int32_t unit) {
  if (!is_valid(text)) return is_no_array("the text");
  if (unit != WEIR_UNIT_CHARACTER && unit != WEIR_UNIT_WORD) return bad("`unit` is no weir_substring_unit");
  return static_cast<SubstringUnit>(unit);
}

}  // namespace weir::c_api

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

weir_status weir_schema_profile(weir_text name, weir_json_schema_options* options, size_t struct_size) {
  if (!is_valid(name)) return WEIR_INVALID_ARGUMENT;
  const weir::Result<weir::JsonSchemaOptions> found = weir::schema_profile(to_view(name));
  // No profile sets a text, so the struct does not refer to `found`.
  return found ? write_struct(Of<weir_json_schema_options>::table, &*found, struct_size, options)
               : WEIR_INVALID_ARGUMENT;
}
