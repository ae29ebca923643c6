#include "fidelity_models.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace weir::cli::bench_fidelity {

namespace {

// The count of a token that does not occur in the training text.
constexpr double kUnseen = 0.05;

}  // namespace

void BigramModel::train(std::span<const std::uint32_t> text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    ++counts_[text[i]];
    ++total_;
    if (i == 0) continue;
    Successors& after = successors_[text[i - 1]];
    ++after.total;
    ++after.counts[text[i]];
  }
}

bool BigramModel::begin(std::span<const std::uint32_t> prompt) {
  if (prompt.empty()) return false;
  last_ = prompt.back();
  return true;
}

std::vector<double> BigramModel::probabilities(std::span<const std::uint32_t> output,
                                               std::span<const std::uint32_t> next) {
  const auto after = successors_.find(output.empty() ? last_ : output.back());
  std::vector<double> out;
  out.reserve(next.size());
  for (const std::uint32_t token : next) {
    const auto seen = counts_.find(token);
    const double alone = (static_cast<double>(seen == counts_.end() ? 0 : seen->second) + kUnseen) /
                         (static_cast<double>(total_) + kUnseen * vocab_size_);
    if (after == successors_.end()) {
      out.push_back(alone);
      continue;
    }
    const auto pair = after->second.counts.find(token);
    const double count = pair == after->second.counts.end() ? 0 : static_cast<double>(pair->second);
    const auto kinds = static_cast<double>(after->second.counts.size());
    out.push_back((count + kinds * alone) / (static_cast<double>(after->second.total) + kinds));
  }
  return out;
}

bool LlamaModel::begin(std::span<const std::uint32_t> prompt) {
  if (prompt.empty()) return false;
  prompt_.assign(prompt.begin(), prompt.end());
  output_.clear();
  llama_.truncate(0);
  try {
    // Leaves the last token to probabilities(): logits are available only from the call that appends a token.
    for (std::size_t i = 0; i + 1 < prompt.size(); ++i) llama_.append(prompt[i]);
  } catch (const std::length_error&) {
    return false;
  }
  return true;
}

std::vector<double> LlamaModel::probabilities(std::span<const std::uint32_t> output,
                                              std::span<const std::uint32_t> next) {
  const auto [left, right] = std::ranges::mismatch(output_, output);
  std::size_t kept = static_cast<std::size_t>(left - output_.begin());
  if (kept == output.size() && kept > 0) --kept;
  llama_.truncate(prompt_.size() - 1 + (kept == 0 ? 0 : kept + 1));
  std::span<const float> logits;
  if (kept == 0) logits = llama_.append(prompt_.back());
  for (std::size_t i = kept; i < output.size(); ++i) logits = llama_.append(output[i]);
  output_.assign(output.begin(), output.end());
  const float most = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit - most));
  std::vector<double> out;
  out.reserve(next.size());
  for (const std::uint32_t token : next) out.push_back(std::exp(static_cast<double>(logits[token] - most)) / sum);
  return out;
}

}  // namespace weir::cli::bench_fidelity
