#include "c_api/options.h"

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

namespace {

using weir::TokenizerInfo;

// The body of the functions that return a property of one token: `read` returns it, and it is stored in `*out`.
template <typename T, typename Read>
weir_status of_token(const weir_tokenizer_info* tokenizer, uint32_t id, T* out, const Read& read) noexcept {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = T{};
  if (tokenizer == nullptr || id >= tokenizer->value.vocab_size()) return WEIR_INVALID_ARGUMENT;
  *out = read(tokenizer->value);
  return WEIR_OK;
}

// The body of the functions that make a tokenizer with options.
template <typename Make>
weir_status build_tokenizer(bool are_texts_valid, const weir_tokenizer_options* options, weir_tokenizer_info** out,
                            weir_error** error, const Make& make) noexcept {
  return build(out, error, [&]() -> weir::Result<TokenizerInfo> {
    if (!are_texts_valid) return is_no_array("a text");
    return to_cpp(options).and_then(make);
  });
}

}  // namespace

weir_status weir_tokenizer_info_builtin(weir_tokenizer_info** out, weir_error** error) {
  return build(out, error, [] { return weir::Result<TokenizerInfo>(TokenizerInfo::builtin()); });
}

weir_status weir_tokenizer_info_from_file(weir_text path, const weir_tokenizer_options* options,
                                          weir_tokenizer_info** out, weir_error** error) {
  return build_tokenizer(is_valid(path), options, out, error, [&](const weir::TokenizerOptions& given) {
    return TokenizerInfo::from_file(std::string(to_view(path)), given);
  });
}

weir_status weir_tokenizer_info_from_bytes(weir_text data, weir_text name, const weir_tokenizer_options* options,
                                           weir_tokenizer_info** out, weir_error** error) {
  return build_tokenizer(is_valid(data) && is_valid(name), options, out, error,
                         [&](const weir::TokenizerOptions& given) {
                           return TokenizerInfo::from_bytes(to_view(data), to_view(name), given);
                         });
}

weir_status weir_tokenizer_info_from_vocab(const weir_vocab_spec* spec, const weir_tokenizer_options* options,
                                           weir_tokenizer_info** out, weir_error** error) {
  return build_tokenizer(
      true, options, out, error, [&](const weir::TokenizerOptions& given) -> weir::Result<TokenizerInfo> {
        if (spec == nullptr) return is_null("`spec`");
        return to_cpp(spec).and_then(
            [&](weir::VocabSpec tokens) { return TokenizerInfo::from_vocab(std::move(tokens), given); });
      });
}

weir_status weir_tokenizer_info_clone(const weir_tokenizer_info* tokenizer, weir_tokenizer_info** out) {
  return derive(tokenizer, out, [](const weir_tokenizer_info& from) { return from.value; });
}

void weir_tokenizer_info_free(weir_tokenizer_info* tokenizer) { delete tokenizer; }

weir_status weir_tokenizer_info_serialize(const weir_tokenizer_info* tokenizer, weir_owned_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (tokenizer == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    give(tokenizer->value.serialize(), out);
    return WEIR_OK;
  });
}

weir_status weir_tokenizer_info_deserialize(weir_text data, weir_tokenizer_info** out, weir_error** error) {
  return build_tokenizer(is_valid(data), nullptr, out, error,
                         [&](const weir::TokenizerOptions&) { return TokenizerInfo::deserialize(to_view(data)); });
}

uint32_t weir_tokenizer_info_vocab_size(const weir_tokenizer_info* tokenizer) {
  return tokenizer != nullptr ? tokenizer->value.vocab_size() : 0;
}

weir_status weir_tokenizer_info_token_bytes(const weir_tokenizer_info* tokenizer, uint32_t id, weir_text* out) {
  return of_token(tokenizer, id, out, [&](const TokenizerInfo& info) { return to_c(info.token_bytes(id)); });
}

weir_status weir_tokenizer_info_first_token_bytes(const weir_tokenizer_info* tokenizer, uint32_t id, weir_text* out) {
  return of_token(tokenizer, id, out, [&](const TokenizerInfo& info) { return to_c(info.first_token_bytes(id)); });
}

weir_status weir_tokenizer_info_token_kind(const weir_tokenizer_info* tokenizer, uint32_t id, weir_token_kind* out) {
  return of_token(tokenizer, id, out,
                  [&](const TokenizerInfo& info) { return static_cast<weir_token_kind>(info.token_kind(id)); });
}

weir_status weir_tokenizer_info_token_name(const weir_tokenizer_info* tokenizer, uint32_t id, weir_text* out) {
  return of_token(tokenizer, id, out, [&](const TokenizerInfo& info) { return to_c(info.token_name(id)); });
}

weir_status weir_tokenizer_info_find_special_token(const weir_tokenizer_info* tokenizer, weir_text name,
                                                   uint32_t* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = 0;
  if (tokenizer == nullptr || !is_valid(name)) return WEIR_INVALID_ARGUMENT;
  const auto id = tokenizer->value.find_special_token(to_view(name));
  if (!id) return WEIR_NOT_FOUND;
  *out = *id;
  return WEIR_OK;
}

size_t weir_tokenizer_info_stop_token_ids(const weir_tokenizer_info* tokenizer, const uint32_t** ids) {
  const auto found = tokenizer != nullptr ? tokenizer->value.stop_token_ids() : std::span<const std::uint32_t>();
  if (ids != nullptr) *ids = found.data();
  return found.size();
}

bool weir_tokenizer_info_drops_leading_space(const weir_tokenizer_info* tokenizer) {
  return tokenizer != nullptr && tokenizer->value.drops_leading_space();
}

weir_text weir_tokenizer_info_kind(const weir_tokenizer_info* tokenizer) {
  return tokenizer != nullptr ? to_c(tokenizer->value.kind()) : weir_text{};
}

weir_status weir_tokenizer_info_decode(const weir_tokenizer_info* tokenizer, const uint32_t* ids, size_t count,
                                       weir_owned_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (tokenizer == nullptr || !is_valid(ids, count)) return WEIR_INVALID_ARGUMENT;
  for (size_t i = 0; i < count; ++i) {
    if (ids[i] >= tokenizer->value.vocab_size()) return WEIR_INVALID_ARGUMENT;
  }
  return guarded([&] {
    give(tokenizer->value.decode({ids, count}), out);
    return WEIR_OK;
  });
}

weir_status weir_tokenizer_info_tokenize(const weir_tokenizer_info* tokenizer, weir_text text, weir_token_ids* out,
                                         weir_error** error) {
  if (error != nullptr) *error = nullptr;
  if (out != nullptr) *out = {};
  return guarded([&] {
    if (tokenizer == nullptr || out == nullptr || !is_valid(text)) {
      return fail_argument("an argument is NULL, or an array larger than memory", error);
    }
    auto ids = tokenizer->value.tokenize(to_view(text));
    if (!ids) return fail(std::move(ids.error()), error);
    give(*ids, out);
    return WEIR_OK;
  });
}

weir_status weir_tokenizer_info_canonical_support(const weir_tokenizer_info* tokenizer, weir_error** error) {
  if (error != nullptr) *error = nullptr;
  return guarded([&] {
    if (tokenizer == nullptr) return fail_argument("`tokenizer` is NULL", error);
    auto support = tokenizer->value.canonical_support();
    return support ? WEIR_OK : fail(std::move(support.error()), error);
  });
}

weir_status weir_tokenizer_info_heal(const weir_tokenizer_info* tokenizer, const uint32_t* context, size_t count,
                                     size_t* tokens, weir_owned_text* bytes, weir_error** error) {
  if (error != nullptr) *error = nullptr;
  if (tokens != nullptr) *tokens = 0;
  if (bytes != nullptr) *bytes = {};
  return guarded([&] {
    if (tokenizer == nullptr || tokens == nullptr || bytes == nullptr || !is_valid(context, count)) {
      return fail_argument("an argument is NULL, or an array larger than memory", error);
    }
    auto healing = tokenizer->value.heal({context, count});
    if (!healing) return fail(std::move(healing.error()), error);
    give(healing->bytes, bytes);
    *tokens = healing->tokens;
    return WEIR_OK;
  });
}
