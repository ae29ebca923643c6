// ScratchPool: a pool of vectors that functions lease for the duration of a call. Nested calls reuse the memory of
// earlier calls instead of allocating.
#ifndef WEIR_SRC_REGEX_EXPR_SCRATCH_H_
#define WEIR_SRC_REGEX_EXPR_SCRATCH_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "regex/expr/search_bounds.h"

namespace weir::regex {

template <typename T>
class ScratchPool {
 public:
  /// RAII lease of an empty vector. Its capacity returns to the pool when the lease ends. Leases may nest; the pool
  /// must outlive them.
  class Lease {
   public:
    explicit Lease(ScratchPool& pool) : pool_(pool) {
      if (pool_.free_.empty()) {
        pool_.free_.reserve(kMaxKeptVectors);  // the destructor must not allocate
        return;
      }
      vector_ = std::move(pool_.free_.back());
      pool_.free_.pop_back();
    }
    ~Lease() {
      vector_.clear();
      if (vector_.capacity() <= kMaxKeptVectorItems && pool_.free_.size() < kMaxKeptVectors)
        pool_.free_.push_back(std::move(vector_));
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    std::vector<T>& operator*() { return vector_; }
    std::vector<T>* operator->() { return &vector_; }

   private:
    ScratchPool& pool_;
    std::vector<T> vector_;
  };

 private:
  std::vector<std::vector<T>> free_;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_SCRATCH_H_
