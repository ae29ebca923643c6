#include "vocab/readers/gguf_pre_tokenizers.h"

#include <array>

namespace weir::vocab {

namespace {

using Text = std::string_view;

// Radford et al. 2019, encoder.py of GPT-2; the ByteLevel pre-tokenizer of tokenizer.json.
constexpr Text kGpt2Words = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

constexpr std::array<Text, 1> kGpt2 = {kGpt2Words};

// StarCoder, Command R, SmolLM, EXAONE 3, ...: single digits, then ByteLevel.
constexpr std::array<Text, 2> kDigitsThenGpt2 = {R"(\p{N})", kGpt2Words};

// Llama 3; it is OpenAI's cl100k_base without the possessive repeats.
constexpr std::array<Text, 1> kLlama3 = {
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};

// Qwen 2, StableLM 2, ...: as Llama 3, but single digits.
constexpr std::array<Text, 1> kQwen2 = {
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};

// Qwen 3.5: as Qwen 2, but marks are part of words.
constexpr std::array<Text, 1> kQwen35 = {
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};

// OpenAI's o200k_base, Llama 4, MiniMax M2.
constexpr std::array<Text, 1> kGpt4o = {
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};

// Mistral's tekken.
constexpr std::array<Text, 1> kTekken = {
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|)"
    R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};

// DeepSeek LLM: the letters of alphabets with case, as ranges; punctuation in half and full width; CJK and Hangul.
constexpr Text kCasedWords =
    R"(\s?[A-Za-z\x{B5}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1BA}\x{1BC}-\x{1BF}\x{1C4}-\x{293}\x{295}-\x{2AF})"
    R"(\x{370}-\x{373}\x{376}\x{377}\x{37B}-\x{37D}\x{37F}\x{386}\x{388}-\x{38A}\x{38C}\x{38E}-\x{3A1})"
    R"(\x{3A3}-\x{3F5}\x{3F7}-\x{481}\x{48A}-\x{52F}\x{531}-\x{556}\x{10A0}-\x{10C5}\x{13A0}-\x{13F5})"
    R"(\x{13F8}-\x{13FD}\x{1C90}-\x{1CBA}\x{1CBD}-\x{1CBF}\x{1D00}-\x{1D2B}\x{1D6B}-\x{1D77})"
    R"(\x{1D79}-\x{1D9A}\x{1E00}-\x{1F15}\x{1F18}-\x{1F1D}\x{1F20}-\x{1F45}\x{1F48}-\x{1F4D})"
    R"(\x{1F50}-\x{1F57}\x{1F59}\x{1F5B}\x{1F5D}\x{1F5F}-\x{1F7D}\x{1F80}-\x{1FB4}\x{1FB6}-\x{1FBC}\x{1FBE})"
    R"(\x{1FC2}-\x{1FC4}\x{1FC6}-\x{1FCC}\x{1FD0}-\x{1FD3}\x{1FD6}-\x{1FDB}\x{1FE0}-\x{1FEC})"
    R"(\x{1FF2}-\x{1FF4}\x{1FF6}-\x{1FFC}\x{2102}\x{2107}\x{210A}-\x{2113}\x{2115}\x{2119}-\x{211D}\x{2124})"
    R"(\x{2126}\x{2128}\x{212A}-\x{212D}\x{212F}-\x{2134}\x{2139}\x{213C}-\x{213F}\x{2145}-\x{2149}\x{214E})"
    R"(\x{2183}\x{2184}\x{2C00}-\x{2C7B}\x{2C7E}-\x{2CE4}\x{2CEB}-\x{2CEE}\x{2CF2}\x{2CF3}\x{A640}-\x{A66D})"
    R"(\x{A680}-\x{A69B}\x{A722}-\x{A76F}\x{A771}-\x{A787}\x{A78B}-\x{A78E}\x{AB70}-\x{ABBF})"
    R"(\x{FB00}-\x{FB06}\x{FB13}-\x{FB17}\x{FF21}-\x{FF3A}\x{FF41}-\x{FF5A}\x{10400}-\x{1044F})"
    R"(\x{104B0}-\x{104D3}\x{104D8}-\x{104FB}\x{10C80}-\x{10CB2}\x{10CC0}-\x{10CF2}\x{118A0}-\x{118DF})"
    R"(\x{1E900}-\x{1E943}]+)";
constexpr Text kCjkAndHangul = R"([\x{4E00}-\x{9FA5}\x{0800}-\x{4E00}\x{AC00}-\x{D7FF}]+)";
constexpr std::array<Text, 6> kDeepSeekLlm = {
    R"([\r\n])", kCasedWords,   R"(\s?[!-/:-~\x{FF01}-\x{FF0F}\x{FF1A}-\x{FF5E}\x{2018}-\x{201F}\x{3000}-\x{3002}]+)",
    R"(\s+$)",   kCjkAndHangul, R"(\p{N}+)"};

constexpr std::array<Text, 5> kDeepSeekCoder = {R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)", kCjkAndHangul, R"(\p{N})"};

// DeepSeek V3 and R1, Hunyuan's dense models.
constexpr std::array<Text, 3> kDeepSeekV3 = {
    R"(\p{N}{1,3})", R"([\x{4E00}-\x{9FA5}\x{3040}-\x{309F}\x{30A0}-\x{30FF}]+)",
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|)"
    R"(\s*[\r\n]+|\s+(?!\S)|\s+)"};

// Falcon: punctuation, ByteLevel, then groups of three digits.
constexpr std::array<Text, 3> kFalcon = {R"([\p{P}\$\+<=>\^~\|`]+)", kGpt2Words, R"([0-9][0-9][0-9])"};

// BLOOM, and models whose tokenizers were trained with its code.
constexpr Text kBloomWords = R"( ?[^(\s|.,!?…。，、।۔،)]+)";
constexpr std::array<Text, 1> kBloom = {kBloomWords};
constexpr std::array<Text, 2> kViking = {kBloomWords, R"(\p{N})"};

constexpr std::array<Text, 1> kBailing = {
    R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)"};

constexpr std::array<Text, 1> kSeedCoder = {
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)"};

// Kimi K2: as o200k_base, but runs of Han characters are separate pieces. Its file writes the classes as differences,
// `[...&&[^\p{Han}]]`.
constexpr std::array<Text, 1> kKimiK2 = {
    R"(\p{Han}+|)"
    R"([^\r\n\p{L}\p{N}]?(?:(?!\p{Han})[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])*(?:(?!\p{Han})[\p{Ll}\p{Lm}\p{Lo}\p{M}])+)"
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?(?:(?!\p{Han})[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])+(?:(?!\p{Han})[\p{Ll}\p{Lm}\p{Lo}\p{M}])*)"
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};

// Not from a model's file: llama.cpp uses it for files that are older than the key.
constexpr std::array<Text, 4> kDefault = {R"([\p{P}\$\+<=>\^~\|]+)", kGpt2Words, R"(\p{N}+)", R"([0-9][0-9][0-9])"};

// Gemma 4: merges work on whole lines; no merge joins a line end with another character.
constexpr std::array<Text, 1> kGemma4 = {R"(\n+)"};

enum class Merges : bool { kUse, kIgnoreForWholeTokens };

struct Entry {
  std::string_view name;
  std::span<const Text> patterns;
  Merges merges = Merges::kUse;
};

constexpr Merges kIgnore = Merges::kIgnoreForWholeTokens;

constexpr std::array kEntries = {
    Entry{"default", kDefault},
    Entry{"llama3", kLlama3, kIgnore},
    Entry{"llama-v3", kLlama3, kIgnore},
    Entry{"llama-bpe", kLlama3, kIgnore},
    Entry{"falcon3", kLlama3, kIgnore},
    Entry{"falcon-h1", kLlama3, kIgnore},
    Entry{"pixtral", kLlama3, kIgnore},
    Entry{"midm-2.0", kLlama3, kIgnore},
    Entry{"lfm2", kLlama3, kIgnore},
    Entry{"dbrx", kLlama3},
    Entry{"smaug-bpe", kLlama3},
    Entry{"glm4", kLlama3},
    Entry{"chatglm-bpe", kLlama3},
    Entry{"deepseek-llm", kDeepSeekLlm},
    Entry{"deepseek-coder", kDeepSeekCoder},
    Entry{"deepseek-v3", kDeepSeekV3},
    Entry{"hunyuan-dense", kDeepSeekV3},
    Entry{"falcon", kFalcon},
    Entry{"gpt-2", kGpt2},
    Entry{"phi-2", kGpt2},
    Entry{"mpt", kGpt2},
    Entry{"olmo", kGpt2},
    Entry{"jais", kGpt2},
    Entry{"trillion", kGpt2},
    Entry{"gigachat", kGpt2},
    Entry{"roberta-bpe", kGpt2},
    Entry{"jina-es", kGpt2},
    Entry{"jina-de", kGpt2},
    Entry{"jina-v1-en", kGpt2},
    Entry{"jina-v2-es", kGpt2},
    Entry{"jina-v2-de", kGpt2},
    Entry{"jina-v2-code", kGpt2},
    Entry{"exaone4", kGpt2},
    Entry{"a.x-4.0", kGpt2},
    Entry{"mellum", kGpt2},
    Entry{"modern-bert", kGpt2},
    Entry{"granite-docling", kGpt2},
    Entry{"starcoder", kDigitsThenGpt2},
    Entry{"refact", kDigitsThenGpt2},
    Entry{"command-r", kDigitsThenGpt2},
    Entry{"smollm", kDigitsThenGpt2},
    Entry{"codeshell", kDigitsThenGpt2},
    Entry{"exaone", kDigitsThenGpt2},
    Entry{"minerva-7b", kDigitsThenGpt2},
    Entry{"qwen2", kQwen2},
    Entry{"deepseek-r1-qwen", kQwen2},
    Entry{"megrez", kQwen2},
    Entry{"stablelm2", kQwen2},
    Entry{"hunyuan", kQwen2},
    Entry{"grok-2", kQwen2},
    Entry{"solar-open", kQwen2},
    Entry{"qwen35", kQwen35},
    Entry{"gpt-4o", kGpt4o},
    Entry{"llama4", kGpt4o},
    Entry{"minimax-m2", kGpt4o},
    Entry{"kimi-k2", kKimiK2},
    Entry{"tekken", kTekken, kIgnore},
    Entry{"poro-chat", kBloom},
    Entry{"bloom", kBloom},
    Entry{"gpt3-finnish", kBloom},
    Entry{"viking", kViking},
    Entry{"bailingmoe", kBailing},
    Entry{"bailingmoe2", kBailing},
    Entry{"llada-moe", kBailing},
    Entry{"seed-coder", kSeedCoder},
    Entry{"gemma4", kGemma4},
};

}  // namespace

std::optional<GgufPreTokenizer> find_gguf_pre_tokenizer(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return GgufPreTokenizer{entry.patterns, entry.merges == kIgnore};
  }
  return std::nullopt;
}

}  // namespace weir::vocab
