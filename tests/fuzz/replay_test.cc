// Runs the targets in every build, on the corpus and on mutations of it that are the same on every machine. The
// environment variable WEIR_FUZZ_CORPUS names a directory with more inputs, in a directory for each target; these are
// not mutated. WEIR_FUZZ_MUTATIONS=N tries N mutations of each file of the corpus: fuzzing without coverage, for
// compilers that have no libFuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/targets.h"
#include "shared_data.h"
#include "small_stack.h"

namespace weir::fuzz {
namespace {

// Returns the number of mutations of each file.
int mutations() {
  const char* const text = std::getenv("WEIR_FUZZ_MUTATIONS");
  return text == nullptr ? 30 : std::atoi(text);
}

struct File {
  std::string name;
  std::string data;
};

std::vector<File> files_of(const std::filesystem::path& path) {
  std::vector<File> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    std::ifstream in(entry.path(), std::ios::binary);
    files.push_back({entry.path().filename().string(), {std::istreambuf_iterator<char>(in), {}}});
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.name < b.name; });
  return files;
}

void mutate(std::string& data, const std::vector<File>& files, std::minstd_rand& random) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  const std::size_t at = below(data.size() + 1);
  const std::size_t length = below(std::min<std::size_t>(data.size() - at, 16) + 1);
  switch (random() % 5) {
    case 0: data.erase(at, length); break;
    case 1: data.insert(at, data.substr(at, length)); break;
    case 2: data.insert(at, 1, static_cast<char>(random() % 256)); break;
    case 3:
      if (at < data.size()) data[at] = static_cast<char>(data[at] ^ (1 << random() % 8));
      break;
    default: {
      const std::string& other = files[below(files.size())].data;
      data.insert(at, other.substr(below(other.size()), 1 + below(24)));
    }
  }
}

void run(const Target& target, const std::string& data, const std::string& what) {
  try {
    // The copy has exactly the size of the data, so a sanitizer detects any read beyond its end.
    const std::vector<char> exact(data.begin(), data.end());
    on_small_stack([&] { target.run({exact.data(), exact.size()}); });
  } catch (const Violation& violation) {
    ADD_FAILURE() << violation.what() << "\n" << what << ":\n" << data;
  }
}

class Replay : public ::testing::TestWithParam<Target> {};

TEST_P(Replay, CorpusAndMutations) {
  const Target& target = GetParam();
  const std::vector<File> files =
      files_of(std::filesystem::path(tests::repository()) / "tests/fuzz/corpus" / target.corpus);
  ASSERT_FALSE(files.empty());
  const int most = mutations();
  for (const File& file : files) {
    std::minstd_rand random(1);
    for (int i = 0; i <= most; ++i) {
      std::string data = file.data;
      for (int change = 0; change < std::min(i, 4); ++change) mutate(data, files, random);
      run(target, data, "mutation " + std::to_string(i) + " of " + file.name);
    }
  }
  const char* const more = std::getenv("WEIR_FUZZ_CORPUS");
  if (more == nullptr || !std::filesystem::is_directory(std::filesystem::path(more) / target.name)) return;
  for (const File& file : files_of(std::filesystem::path(more) / target.name)) run(target, file.data, file.name);
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Replay, ::testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace weir::fuzz
