#include "e2e/documents.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

namespace weir::e2e {

namespace {

namespace fs = std::filesystem;

class ExpressionWriter {
 public:
  explicit ExpressionWriter(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string out = space();
    const std::size_t statements = 1 + below(4);
    for (std::size_t i = 0; i < statements; ++i) {
      if (i != 0) out += ";" + space();
      if (below(2) == 0) out += name() + space() + "=" + space();
      out += sum(0);
    }
    return below(3) == 0 ? out + ";" + space() : out;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  std::string space() {
    static constexpr const char* kSpaces[] = {"", "", "", " ", " ", "\n", "  ", "\t "};
    return kSpaces[below(std::size(kSpaces))];
  }

  std::string name() {
    static constexpr const char* kNames[] = {"x", "y1", "_", "total", "mean_value", "e", "E2", "sqrt", "Kelvin", "i_0"};
    return kNames[below(std::size(kNames))];
  }

  std::string number() {
    std::string out = std::to_string(below(below(3) == 0 ? 1'000'000'000 : 100));
    if (below(3) == 0) out += "." + std::to_string(below(1000));
    if (below(5) == 0) {
      static constexpr const char* kMarks[] = {"e", "E", "e+", "E-"};
      out += kMarks[below(std::size(kMarks))] + std::to_string(below(30));
    }
    return out;
  }

  std::string sum(int depth) {
    std::string out = operand(depth);
    for (std::size_t i = below(3); i != 0; --i) {
      out += space() + "+-*/%^"[below(6)] + space() + operand(depth);
    }
    return out;
  }

  std::string operand(int depth) {
    std::string out;
    if (below(5) == 0) out += (below(2) == 0 ? "-" : "+") + space();
    const std::size_t kind = depth < 5 ? below(6) : below(4);
    if (kind == 5) out += "(" + space() + sum(depth + 1) + space() + ")";
    if (kind == 4) out += name() + space() + "(" + space() + arguments(depth + 1) + ")";
    if (kind == 2 || kind == 3) out += name();
    return kind < 2 ? out + number() : out;
  }

  std::string arguments(int depth) {
    std::string out;
    const std::size_t count = below(4);
    for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "" : "," + space()) + sum(depth) + space();
    return out;
  }

  std::mt19937_64 random_;
};

struct ClosePipe {
  void operator()(std::FILE* pipe) const { pclose(pipe); }
};

// Parses every `stride`th line of a file of JSON objects, packed with xz. Calls `use` with the object, whose members
// keep the file's order, and the index of the line.
template <typename Use>
void for_each_line(const std::string& path, std::size_t stride, Use use) {
  if (!fs::exists(path)) return;
  const std::unique_ptr<std::FILE, ClosePipe> pipe(popen(("xz -dc '" + path + "' 2>/dev/null").c_str(), "r"));
  if (!pipe) return;
  std::string line;
  std::size_t number = 0;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    if (number % stride == 0) use(nlohmann::ordered_json::parse(line), number);
    ++number;
    line.clear();
  }
}

}  // namespace

std::vector<Document> files_in(const std::string& directory, const std::string& suffix, std::size_t stride) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory, error)) {
    if (entry.is_regular_file() && entry.path().string().ends_with(suffix)) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Document> out;
  for (std::size_t i = 0; i < paths.size(); i += stride) {
    std::ifstream file(paths[i], std::ios::binary);
    out.push_back({fs::relative(paths[i], directory).string(),
                   std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>())});
  }
  return out;
}

std::vector<Document> maskbench_instances(const std::string& path, std::size_t stride) {
  std::vector<Document> out;
  for_each_line(path, stride, [&](const nlohmann::ordered_json& parsed, std::size_t number) {
    for (const auto& test : parsed["tests"]) {
      const nlohmann::json data = test["data"];
      out.push_back({parsed["id"].get<std::string>(), data.dump(number % 2 == 0 ? -1 : 2)});
    }
  });
  return out;
}

std::vector<Document> maskbench_schemas(const std::string& path, std::size_t stride) {
  std::vector<Document> out;
  for_each_line(path, stride, [&](const nlohmann::ordered_json& parsed, std::size_t) {
    out.push_back({parsed["id"].get<std::string>(), parsed["schema"].dump()});
  });
  return out;
}

std::vector<Document> random_expressions(std::size_t count, std::uint64_t seed) {
  ExpressionWriter writer(seed);
  std::vector<Document> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back({"expression " + std::to_string(i), writer.text()});
  return out;
}

}  // namespace weir::e2e
