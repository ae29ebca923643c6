// Prints llama.cpp's verdicts on GBNF grammars and texts. record.py builds it with four of llama.cpp's source files and
// runs it.
//
// Standard input has cases: the grammar, as its size in four bytes and its text; the number of texts in four bytes; and
// the texts in the same form. The output has a line for each case: "error" if llama.cpp refuses the grammar, else one
// letter for each text: `c` for a text of the grammar, `p` for a proper prefix of one, `r` for any other.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "llama-grammar.h"
#include "llama-vocab.h"
#include "unicode.h"

// Stubs for functions of llama.cpp that its parser calls only for tokens and for logging.
extern "C" void ggml_abort(const char*, int, const char*, ...) { std::abort(); }
extern "C" void ggml_log_get(ggml_log_callback* callback, void** data) {
  *callback = [](ggml_log_level, const char*, void*) {};
  *data = nullptr;
}
bool llama_vocab::is_eog(llama_token) const { std::abort(); }
const std::string& llama_vocab::token_to_piece(llama_token) const { std::abort(); }
int32_t llama_vocab::tokenize(const char*, int32_t, llama_token*, int32_t, bool, bool) const { std::abort(); }

namespace {

bool read_size(std::uint32_t& size) { return std::fread(&size, sizeof size, 1, stdin) == 1; }

bool read_text(std::string& text) {
  std::uint32_t size = 0;
  if (!read_size(size)) return false;
  text.resize(size);
  return std::fread(text.data(), 1, size, stdin) == size;
}

llama_grammar* grammar_of(const std::string& source) {
  return llama_grammar_init_impl(nullptr, source.c_str(), "root", false, nullptr, 0, nullptr, 0);
}

char verdict(const std::string& source, const std::string& text) {
  llama_grammar* grammar = grammar_of(source);
  const llama_grammar_stacks& stacks = llama_grammar_get_stacks(grammar);
  for (const std::uint32_t character : unicode_cpts_from_utf8(text)) {
    if (!stacks.empty()) llama_grammar_accept(grammar, character);
  }
  char result = stacks.empty() ? 'r' : 'p';
  for (const llama_grammar_stack& stack : stacks) result = stack.empty() ? 'c' : result;
  llama_grammar_free_impl(grammar);
  return result;
}

}  // namespace

int main() {
  for (std::string source; read_text(source);) {
    std::uint32_t count = 0;
    if (!read_size(count)) return EXIT_FAILURE;
    llama_grammar* grammar = grammar_of(source);
    std::string line = grammar == nullptr ? "error" : "";
    for (std::string text; count > 0 && read_text(text); --count) {
      if (grammar != nullptr) line += verdict(source, text);
    }
    if (grammar != nullptr) llama_grammar_free_impl(grammar);
    std::puts(line.c_str());
  }
  return EXIT_SUCCESS;
}
