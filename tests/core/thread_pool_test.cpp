// The pool runs every block exactly once, passes exceptions on, and can be used again afterwards.
#include "core/thread_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace ellzero::core {
namespace {

TEST(ThreadPool, runs_every_block_once) {
  for (const int threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const Index blocks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(blocks));
      pool.run(blocks, [&](Index b) { ++times[b]; });
      for (const auto& t : times) EXPECT_EQ(t, 1);
    }
  }
}

TEST(ThreadPool, many_short_rounds) {
  ThreadPool pool(4);
  std::atomic<Index> total = 0;
  for (int round = 0; round < 2000; ++round) pool.run(5, [&](Index b) { total += b; });
  EXPECT_EQ(total, 2000 * 10);
}

TEST(ThreadPool, rethrows_and_goes_on) {
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    EXPECT_THROW(pool.run(100,
                          [](Index b) {
                            if (b == 17) throw std::runtime_error("block 17");
                          }),
                 std::runtime_error);
    std::atomic<int> count = 0;
    pool.run(100, [&](Index) { ++count; });
    EXPECT_EQ(count, 100);
  }
}

}  // namespace
}  // namespace ellzero::core
