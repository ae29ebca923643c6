// weir.TokenizerInfo
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

#include "bindings.h"
#include "errors.h"
#include "options.h"
#include "recipe.h"
#include "weir/tokenizer_info.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace weir::python {

namespace {

using Ids = std::vector<std::int64_t>;

// Returns the ids. Raises an exception unless they are below 2^32; the library checks them against the vocabulary.
std::vector<std::uint32_t> to_ids(const Ids& given, const char* name) {
  std::vector<std::uint32_t> out;
  out.reserve(given.size());
  for (const std::int64_t id : given) {
    if (id < 0 || id > INT64_C(0xFFFFFFFF)) {
      throw nb::index_error(
          (std::string("`") + name + "` has the id " + std::to_string(id) + "; ids are from 0 to 4294967295").c_str());
    }
    out.push_back(static_cast<std::uint32_t>(id));
  }
  return out;
}

TokenizerOptions to_options(const std::optional<Ids>& stop_token_ids, std::int64_t padded_vocab_size) {
  if (padded_vocab_size < 0 || padded_vocab_size > INT64_C(0xFFFFFFFF)) {
    throw nb::value_error("`padded_vocab_size` must be a count from 0 to 4294967295");
  }
  TokenizerOptions options;
  if (stop_token_ids) options.stop_token_ids = to_ids(*stop_token_ids, "stop_token_ids");
  options.padded_vocab_size = static_cast<std::uint32_t>(padded_vocab_size);
  return options;
}

template <typename Make>
TokenizerInfo make(const Make& build) {
  Result<TokenizerInfo> made = [&] {
    const nb::gil_scoped_release released;
    return build();
  }();
  if (!made) raise_tokenizer_error(made.error());
  return *std::move(made);
}

TokenizerInfo from_vocab(const nb::sequence& vocab, const Ids& special_token_ids, const Ids& stop_token_ids,
                         bool drops_leading_space, nb::handle spelling, bool stop_tokens_by_name,
                         std::int64_t padded_vocab_size) {
  if (nb::isinstance<nb::str>(vocab)) {
    throw nb::type_error("`vocab` must be a sequence of tokens, not a str; from_file reads a file");
  }
  VocabSpec spec;
  spec.spelling = token_spelling(spelling);
  spec.stop_tokens_by_name = stop_tokens_by_name;
  spec.tokens.reserve(nb::len(vocab));
  for (nb::handle token : vocab) {
    if (!nb::isinstance<nb::str>(token) && !nb::isinstance<nb::bytes>(token)) {
      throw nb::type_error(
          ("item " + std::to_string(spec.tokens.size()) + " of `vocab` must be bytes or a str, not " + kind_of(token))
              .c_str());
    }
    spec.tokens.emplace_back(text_or_bytes(token, "vocab"));
  }
  spec.special_token_ids = to_ids(special_token_ids, "special_token_ids");
  spec.stop_token_ids = to_ids(stop_token_ids, "stop_token_ids");
  spec.drops_leading_space = drops_leading_space;
  const TokenizerOptions options = to_options(std::nullopt, padded_vocab_size);
  return make([&] { return TokenizerInfo::from_vocab(std::move(spec), options); });
}

// Reads the file at a path-like object. Raises OSError (for example FileNotFoundError) if it cannot be opened.
TokenizerInfo from_file(const nb::object& path, const std::optional<Ids>& stop_token_ids,
                        std::int64_t padded_vocab_size) {
  const nb::object name = nb::module_::import_("os").attr("fsdecode")(path);
  const nb::object encoded = nb::module_::import_("os").attr("fsencode")(path);
  const std::string file(text_or_bytes(encoded, "path"));
  if (file.find('\0') != std::string::npos) throw nb::value_error("`path` has a null character");
  const TokenizerOptions options = to_options(stop_token_ids, padded_vocab_size);
  if (std::FILE* opened = std::fopen(file.c_str(), "rb"); opened != nullptr) {
    static_cast<void>(std::fclose(opened));
  } else {
    PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, name.ptr());
    throw nb::python_error();
  }
  return make([&] { return TokenizerInfo::from_file(file, options); });
}

TokenizerInfo from_bytes(const nb::bytes& data, const std::string& name, const std::optional<Ids>& stop_token_ids,
                         std::int64_t padded_vocab_size) {
  const TokenizerOptions options = to_options(stop_token_ids, padded_vocab_size);
  return make([&] { return TokenizerInfo::from_bytes({data.c_str(), data.size()}, name, options); });
}

const char* kind_name(TokenKind kind) {
  switch (kind) {
    case TokenKind::kNormal: return "normal";
    case TokenKind::kByte: return "byte";
    case TokenKind::kSpecial: return "special";
    case TokenKind::kUnused: return "unused";
  }
  return "unused";
}

std::vector<std::uint32_t> tokenize(const TokenizerInfo& self, const nb::object& text) {
  const std::string_view bytes = text_or_bytes(text, "text");
  const Result<std::vector<std::uint32_t>> ids = [&] {
    const nb::gil_scoped_release released;
    return self.tokenize(bytes);
  }();
  if (!ids) raise_tokenizer_error(ids.error());
  return *ids;
}

nb::bytes decode(const TokenizerInfo& self, const Ids& ids) {
  std::vector<std::uint32_t> checked;
  checked.reserve(ids.size());
  for (const std::int64_t id : ids) checked.push_back(checked_token(id, self.vocab_size()));
  return to_bytes(self.decode(checked));
}

// Calls an adapter to another library's tokenizer, a function in weir/_adapters.py.
nb::object adapt(const char* function, const nb::object& tokenizer, const nb::kwargs& options) {
  return nb::module_::import_("weir._adapters").attr(function)(tokenizer, **options);
}

constexpr const char* kFromOther =
    "*, stop_token_ids: collections.abc.Sequence[int] | None = None, padded_vocab_size: int = 0) -> TokenizerInfo";

template <typename Class>
void def_adapter(Class& info, const char* name, const char* parameter, const char* function, const char* doc) {
  const std::string signature = std::string("def ") + name + "(" + parameter + ", " + kFromOther;
  const std::string argument(parameter, std::strchr(parameter, ':'));
  info.def_static(
      name,
      [function](const nb::object& tokenizer, const nb::kwargs& options) {
        return adapt(function, tokenizer, options);
      },
      nb::arg(argument.c_str()), "options"_a, nb::sig(signature.c_str()), doc);
}

void bind_makers(nb::class_<TokenizerInfo>& info) {
  info.def(
      "__init__",
      [](TokenizerInfo* self, const nb::sequence& vocab, const Ids& special, const Ids& stop, bool drops_leading_space,
         const nb::object& spelling, bool stop_tokens_by_name, std::int64_t padded) {
        new (self)
            TokenizerInfo(from_vocab(vocab, special, stop, drops_leading_space, spelling, stop_tokens_by_name, padded));
      },
      "vocab"_a, nb::kw_only(), "special_token_ids"_a = Ids(), "stop_token_ids"_a = Ids(),
      "drops_leading_space"_a = false, "spelling"_a = "bytes", "stop_tokens_by_name"_a = false,
      "padded_vocab_size"_a = 0,
      nb::sig("def __init__(self, vocab: collections.abc.Sequence[bytes | str], *, special_token_ids: "
              "collections.abc.Sequence[int] = (), "
              "stop_token_ids: collections.abc.Sequence[int] = (), drops_leading_space: bool = False, "
              "spelling: typing.Literal['bytes', 'byte_fallback', 'byte_level'] = 'bytes', "
              "stop_tokens_by_name: bool = False, padded_vocab_size: int = 0) "
              "-> None"));
  info.def_static(
      "from_file", &from_file, "path"_a, nb::kw_only(), "stop_token_ids"_a = nb::none(), "padded_vocab_size"_a = 0,
      nb::sig(
          "def from_file(path: str | os.PathLike[str], *, stop_token_ids: collections.abc.Sequence[int] | None = None, "
          "padded_vocab_size: int = 0) -> TokenizerInfo"),
      R"(Reads a tokenizer file; its format is detected from its content.

Formats: Hugging Face tokenizer.json, tiktoken ranks (with the pattern and the special tokens in a .json file of the
same name in the same directory), SentencePiece .model, GGUF (only its metadata is read), tekken.json.

stop_token_ids: the tokens that end an output; None or an empty sequence: those that the file declares.
padded_vocab_size: the width of the model's logits if that is more than the vocabulary; 0: as in the file.
Raises OSError: the file cannot be opened. TokenizerError: it cannot be used; the message says why.
Cost: reads and indexes the vocabulary; about 100 ms for 100k tokens.)");
  info.def_static(
      "from_bytes", &from_bytes, "data"_a, nb::kw_only(), "name"_a = "<bytes>", "stop_token_ids"_a = nb::none(),
      "padded_vocab_size"_a = 0,
      nb::sig("def from_bytes(data: bytes, *, name: str = '<bytes>', stop_token_ids: "
              "collections.abc.Sequence[int] | None = "
              "None, padded_vocab_size: int = 0) -> TokenizerInfo"),
      "Reads the content of a tokenizer file; otherwise as from_file.\n\nname: the file's name in messages.");
  info.def_static("builtin", &TokenizerInfo::builtin,
                  "Returns a small byte-level BPE tokenizer that is part of weir, for demonstrations and tests.");
  def_adapter(
      info, "from_huggingface", "tokenizer: object", "from_huggingface",
      "Converts a tokenizer of transformers, or a tokenizers.Tokenizer. The object's end-of-sequence token is a stop\n"
      "token, too.\n\n"
      "A slow tokenizer must have an object of tiktoken or sentencepiece inside. If it adds tokens to that object's, "
      "or\n"
      "numbers them otherwise, the result is a list of tokens, without rules for cutting a text into them.\n\n"
      "Raises TypeError: not such a tokenizer. TokenizerError: weir does not support it.");
  def_adapter(info, "from_tiktoken", "encoding: object", "from_tiktoken",
              "Converts a tiktoken.Encoding.\n\nRaises TypeError, TokenizerError.");
  def_adapter(info, "from_sentencepiece", "processor: object", "from_sentencepiece",
              "Converts a sentencepiece.SentencePieceProcessor.\n\nRaises TypeError, TokenizerError.");
  def_adapter(
      info, "from_gguf", "path: str | os.PathLike[str]", "from_gguf",
      "Reads the tokenizer of a model's GGUF file; its weights are not read.\n\nRaises OSError. ValueError: not a "
      "GGUF file. TokenizerError.");
  def_adapter(info, "from_mistral", "tokenizer: object", "from_mistral",
              "Converts a tokenizer of mistral_common: a MistralTokenizer, or the Tekkenizer or SentencePieceTokenizer "
              "in it.\n\n"
              "Raises TypeError, TokenizerError.");
}

// What canonical_support returns.
struct CanonicalSupport {
  std::optional<Error> error;
};

CanonicalSupport canonical_support(const TokenizerInfo& self) {
  const nb::gil_scoped_release released;
  const Result<void> supported = self.canonical_support();
  return {supported ? std::nullopt : std::optional<Error>(supported.error())};
}

void bind_canonical_support(nb::module_& module) {
  nb::class_<CanonicalSupport>(module, "CanonicalSupport",
                               "Whether matchers can follow a tokenizer with tokenization=\"canonical\". True in a "
                               "condition if they can.")
      .def_prop_ro("supported", [](const CanonicalSupport& self) { return !self.error.has_value(); })
      .def_prop_ro(
          "reason", [](const CanonicalSupport& self) { return to_str(self.error ? self.error->message : ""); },
          "The part of the tokenizer that cannot be followed, a sentence; empty if it is supported.")
      .def("__bool__", [](const CanonicalSupport& self) { return !self.error.has_value(); })
      .def("__repr__", [](const CanonicalSupport& self) {
        return self.error ? nb::str("<weir.CanonicalSupport: no, {!r}>").format(to_str(self.error->message))
                          : nb::str("<weir.CanonicalSupport: yes>");
      });
}

TokenHealing heal(const TokenizerInfo& self, const Ids& context) {
  std::vector<std::uint32_t> checked;
  checked.reserve(context.size());
  for (const std::int64_t id : context) checked.push_back(checked_token(id, self.vocab_size()));
  const auto [support, healing] = [&] {
    const nb::gil_scoped_release released;
    return std::pair(self.canonical_support(), self.heal(checked));
  }();
  if (!support) raise_tokenizer_error(support.error());
  if (healing) return *healing;
  const Error& error = healing.error();
  throw nb::value_error(("`context`, index " + std::to_string(error.where.start) + ": " + error.message).c_str());
}

void bind_healing(nb::module_& module) {
  nb::class_<TokenHealing>(module, "TokenHealing", "What TokenizerInfo.heal takes back of a context.")
      .def_ro("tokens", &TokenHealing::tokens, "The number of tokens at the end of the context to take back.")
      .def_prop_ro(
          "bytes", [](const TokenHealing& self) { return to_bytes(self.bytes); },
          "The bytes that they stand for. The output must begin with these.")
      .def("__repr__", [](const TokenHealing& self) {
        return nb::str("<weir.TokenHealing: {} tokens, {!r}>").format(self.tokens, to_bytes(self.bytes));
      });
}

void bind_serialization(nb::class_<TokenizerInfo>& info) {
  info.def(
      "serialize",
      [](const TokenizerInfo& self) {
        const std::string data = [&] {
          const nb::gil_scoped_release released;
          return self.serialize();
        }();
        return to_bytes(data);
      },
      "Returns bytes from which deserialize makes the same tokenizer: the file and the options, or the list of "
      "tokens.");
  info.def_static(
      "deserialize",
      [](const nb::bytes& data) {
        return make([&] { return TokenizerInfo::deserialize({data.c_str(), data.size()}); });
      },
      "data"_a,
      "Makes the tokenizer from which serialize made these bytes, in this process or another.\n\nRaises "
      "TokenizerError: the bytes are not from serialize, or are truncated or damaged.");
  info.def(
      "__reduce__", [](const nb::object& self) { return reduced("load_tokenizer", self.attr("serialize")()); },
      nb::sig(kReduceSignature));
  def_immutable_copy(info);
}

}  // namespace

void bind_tokenizer_info(nb::module_& module) {
  bind_canonical_support(module);
  bind_healing(module);
  auto info = nb::class_<TokenizerInfo>(module, "TokenizerInfo", nb::is_weak_referenceable(),
                                        R"(The vocabulary of a model's tokenizer: the bytes and the kind of every token.

Tokens are the bytes that they decode to, so a character may be split over two tokens. Immutable; safe to share between
threads. A pickle contains what serialize returns.

TokenizerInfo(vocab) makes it from a list of tokens, without a file:
vocab: the tokens, by id; a str stands for its UTF-8.
special_token_ids: tokens that never match as text; their strings are names.
stop_token_ids: tokens that end an output.
drops_leading_space: True if decoding drops a leading space of the first token (SentencePiece).
spelling: how the tokens are written: "bytes"; "byte_fallback", SentencePiece's, in which "▁" is a space and "<0x0A>" a
    byte; "byte_level", GPT-2's, with a character for each byte.
stop_tokens_by_name: True if tokens with usual names of eos and end-of-turn tokens ("</s>", "<|im_end|>") are stop
    tokens, too.
padded_vocab_size: the width of the model's logits if that is more than len(vocab).
Raises IndexError, TokenizerError: ids that the vocabulary lacks. TypeError: a token that is neither bytes nor str.)");
  bind_makers(info);
  bind_serialization(info);
  info.def_prop_ro("vocab_size", &TokenizerInfo::vocab_size, "Number of tokens, padding included.")
      .def_prop_ro(
          "kind", [](const TokenizerInfo& self) { return to_str(self.kind()); },
          "\"byte-level BPE\", \"SentencePiece BPE\", \"Unigram\", \"WordPiece\", \"WordLevel\", \"token list\".")
      .def_prop_ro("drops_leading_space", &TokenizerInfo::drops_leading_space,
                   "True if decoding drops the leading space of the first token of a text.")
      .def_prop_ro(
          "stop_token_ids",
          [](const TokenizerInfo& self) {
            const auto ids = self.stop_token_ids();
            return std::vector<std::uint32_t>(ids.begin(), ids.end());
          },
          "The tokens that end an output, ascending.")
      .def(
          "token_bytes",
          [](const TokenizerInfo& self, std::int64_t token_id) {
            return to_bytes(self.token_bytes(checked_token(token_id, self.vocab_size())));
          },
          "token_id"_a,
          "Returns the bytes that the token decodes to where it is not the first token of a text.\n\nRaises "
          "IndexError: no "
          "such token.")
      .def(
          "first_token_bytes",
          [](const TokenizerInfo& self, std::int64_t token_id) {
            return to_bytes(self.first_token_bytes(checked_token(token_id, self.vocab_size())));
          },
          "token_id"_a,
          "Returns the bytes that the token decodes to as the first token of a text.\n\nRaises IndexError: no such "
          "token.")
      .def(
          "token_kind",
          [](const TokenizerInfo& self, std::int64_t token_id) {
            return kind_name(self.token_kind(checked_token(token_id, self.vocab_size())));
          },
          "token_id"_a,
          nb::sig("def token_kind(self, token_id: int) -> typing.Literal['normal', 'byte', 'special', 'unused']"),
          "Returns the kind of the token.\n\nRaises IndexError: no such token.")
      .def(
          "token_name",
          [](const TokenizerInfo& self, std::int64_t token_id) {
            const std::string_view name = self.token_name(checked_token(token_id, self.vocab_size()));
            return nb::steal<nb::str>(
                PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "replace"));
          },
          "token_id"_a,
          "Returns the token's name as the file writes it, for messages.\n\nRaises IndexError: no such token.")
      .def(
          "find_special_token",
          [](const TokenizerInfo& self, const nb::str& name) { return self.find_special_token(utf8(name)); }, "name"_a,
          "Returns the id of the special token with this name, or None.")
      .def("decode", &decode, "token_ids"_a,
           nb::sig("def decode(self, token_ids: collections.abc.Sequence[int]) -> bytes"),
           "Returns the bytes that these tokens decode to; special tokens add nothing.\n\nRaises IndexError: no such "
           "token.")
      .def("tokenize", &tokenize, "text"_a, nb::sig("def tokenize(self, text: str | bytes) -> list[int]"),
           "Returns the ids into which the original tokenizer cuts the text, without added begin or end tokens.\n\n"
           "Raises TokenizerError: the text has no tokenization, or weir does not support the algorithm.\n"
           "Cost: linear in the text. The first call makes the tables of merges, if there are any: some 100 ms for "
           "100,000 "
           "tokens.")
      .def(
          "canonical_support", &canonical_support,
          R"(Returns whether GrammarMatcher can follow this tokenizer with tokenization="canonical" (docs/canonical.md).

The result is true in a condition if it can; otherwise its `reason` names the part that cannot be followed.
Cost: the first call makes what matchers then use, 50 to 300 ms and 10 to 30 MB for 50,000 to 200,000 tokens.

    support = tokenizer_info.canonical_support()
    tokenization = "canonical" if support else "any")")
      .def(
          "heal", &heal, "context"_a, nb::sig("def heal(self, context: collections.abc.Sequence[int]) -> TokenHealing"),
          R"(Returns how many tokens at the end of a prompt further text could still change, and their bytes (token healing).

The tokens that remain are what the tokenizer writes at the beginning of every text that begins with the prompt's text.
Leave out the last tokens, and let the output begin with their bytes. These are whole characters unless the prompt itself
ends inside a character. Special tokens and all tokens before the last one of them remain.
Raises TokenizerError: the tokenizer cannot be followed (canonical_support). ValueError: the tokenizer does not write
this context; the message names the index of the first token that cannot stand there. IndexError: no such token.

    prompt = tokenizer_info.tokenize("The answer is ")
    healing = tokenizer_info.heal(prompt)                          # 1 token, b" "
    prompt = prompt[:len(prompt) - healing.tokens]
    grammar = weir.Grammar.concat(weir.Grammar.from_choice([healing.bytes.decode()]), answer))")
      .def("__repr__", [](const TokenizerInfo& self) {
        return "<weir.TokenizerInfo: " + std::string(self.kind()) + ", " + std::to_string(self.vocab_size()) +
               " tokens>";
      });
}

}  // namespace weir::python
