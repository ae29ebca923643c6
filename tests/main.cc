// main of the test binaries: GoogleTest's, but skipped tests are listed with their reasons and are no success.
#include <gtest/gtest.h>

#include <cstdio>

namespace {

constexpr int kSkipped = 77;  // SKIP_RETURN_CODE in CMakeLists.txt

// Counts, and prints a line for each that `make check` finds again at the end.
class SkipListener : public testing::EmptyTestEventListener {
 public:
  explicit SkipListener(int& count) : count_(count) {}

 private:
  void OnTestEnd(const testing::TestInfo& test) override {
    if (!test.result()->Skipped()) return;
    ++count_;
    for (int i = 0; i < test.result()->total_part_count(); ++i) {
      const testing::TestPartResult& part = test.result()->GetTestPartResult(i);
      if (part.skipped()) std::printf("skipped: %s.%s: %s\n", test.test_suite_name(), test.name(), part.message());
    }
  }

  int& count_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int skipped = 0;
  testing::UnitTest::GetInstance()->listeners().Append(new SkipListener(skipped));  // which takes it over
  const int result = RUN_ALL_TESTS();
  return result == 0 && skipped != 0 ? kSkipped : result;
}
