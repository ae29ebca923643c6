// The model of examples/language_model: its logits are those of transformers, and files that are not whole are refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "llama.h"
#include "shared_data.h"
#include "weights.h"

namespace {

const std::string kModel = weir::tests::repository() + "/data/model";

struct Reference {
  std::vector<std::uint32_t> tokens = {};
  std::vector<float> logits = {};
};

// A line has token ids, a colon, and the first logits after the last of them.
std::vector<Reference> references() {
  std::vector<Reference> all;
  std::istringstream lines(read_file(kModel + "/reference_logits.txt"));
  for (std::string line; std::getline(lines, line);) {
    Reference& reference = all.emplace_back();
    std::istringstream words(line);
    std::string word;
    while (words >> word && word != ":") reference.tokens.push_back(static_cast<std::uint32_t>(std::stoul(word)));
    while (words >> word) reference.logits.push_back(std::stof(word));
  }
  return all;
}

class Files : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::path(testing::TempDir()) /
                 ("language_model_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string write(const std::string& name, const std::string& bytes) const {
    const std::filesystem::path path = directory_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }

  // Tensor "t" of the numbers 1, -2, 0.5, 2^-24 and minus infinity, under this header.
  static std::string tensors(const std::string& header) {
    const std::string halves("\x00\x3c\x00\xc0\x00\x38\x01\x00\x00\xfc", 10);
    return std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header + halves;
  }

  std::filesystem::path directory_;
};

TEST(LanguageModel, LogitsAreThoseOfTransformers) {
  Llama model(kModel);
  const std::vector<Reference> all = references();
  ASSERT_FALSE(all.empty());
  for (const Reference& reference : all) {
    model.truncate(0);
    std::span<const float> logits;
    for (const std::uint32_t token : reference.tokens) logits = model.append(token);
    ASSERT_FALSE(reference.logits.empty());
    for (std::size_t i = 0; i < reference.logits.size(); ++i) EXPECT_NEAR(logits[i], reference.logits[i], 2e-3) << i;
  }
}

TEST(LanguageModel, TruncationRestoresTheLogits) {
  Llama model(kModel);
  for (const std::uint32_t token : {40U, 41U, 42U}) (void)model.append(token);
  const std::span<const float> expected = model.append(43);
  const std::vector<float> first(expected.begin(), expected.end());
  for (const std::uint32_t token : {50U, 51U}) (void)model.append(token);
  model.truncate(3);
  EXPECT_EQ(model.length(), 3U);
  const std::span<const float> again = model.append(43);
  EXPECT_EQ(std::vector<float>(again.begin(), again.end()), first);
}

TEST(LanguageModel, TokensAndTextsThatDoNotFitAreRefused) {
  Llama model(kModel);
  EXPECT_THROW((void)model.append(static_cast<std::uint32_t>(model.vocab_size())), std::out_of_range);
  const auto longest =
      static_cast<std::size_t>(number_in(read_file(kModel + "/config.json"), "max_position_embeddings"));
  model.truncate(longest);
  EXPECT_THROW((void)model.append(1), std::length_error);
}

TEST_F(Files, Halves) {
  const Weights weights(write("a", tensors(R"({"t":{"dtype":"F16","shape":[5],"data_offsets":[0,10]}})")));
  EXPECT_TRUE(weights.contains("t"));
  EXPECT_FALSE(weights.contains("u"));
  EXPECT_EQ(weights.read("t", 5), (std::vector<float>{1.0F, -2.0F, 0.5F, 0x1p-24F, -INFINITY}));
}

TEST_F(Files, WhatIsNotWholeIsRefused) {
  EXPECT_THROW(Weights(write("a", "")), std::runtime_error);
  EXPECT_THROW(Weights(write("b", std::string("\xff\0\0\0\0\0\0\0{}", 10))), std::runtime_error);
  EXPECT_THROW((void)read_file((directory_ / "absent").string()), std::runtime_error);
  for (const char* header : {R"({"t":{"dtype":"F16","shape":[5],"data_offsets":[0,12]}})",
                             R"({"t":{"dtype":"F16","shape":[5],"data_offsets":[10,0]}})",
                             R"({"t":{"dtype":"F16","shape":[4],"data_offsets":[0,8]}})",
                             R"({"t":{"dtype":"F32","shape":[5],"data_offsets":[0,10]}})",
                             R"({"t":{"dtype":"F16","shape":[5]}})", R"({})"}) {
    const Weights weights(write("c", tensors(header)));
    EXPECT_THROW((void)weights.read("t", 5), std::runtime_error) << header;
  }
  EXPECT_THROW((void)number_in(R"({"a":1})", "b"), std::runtime_error);
  EXPECT_EQ(number_in(R"({"a":1, "b": 1e-05})", "b"), 1e-05);
}

}  // namespace
