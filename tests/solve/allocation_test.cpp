// Descents and local search work in memory that was set aside beforehand: once they run, nothing is allocated.
#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "core/stop.hpp"
#include "core/thread_pool.hpp"
#include "features/source.hpp"
#include "loss/all.hpp"
#include "penalty/penalty.hpp"
#include "solve/convex_descent.hpp"
#include "solve/gram_search.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool counting = false;  // sanitizers own malloc
#else
constexpr bool counting = true;
namespace {
thread_local long allocations = 0;
}
extern "C" {
void* __libc_malloc(std::size_t size);                       // NOLINT: glibc's name
void* __libc_memalign(std::size_t align, std::size_t size);  // NOLINT
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t align, std::size_t size) {
  ++allocations;
  return __libc_memalign(align, size);
}
}
#endif

namespace ellzero {
namespace {

template <class Work>
long count_allocations(Work&& work) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  work();
  return 0;
#else
  const long before = allocations;
  work();
  return allocations - before;
#endif
}

constexpr Index rows = 120, cols = 90;

struct Instance {
  std::vector<double> values = std::vector<double>(rows * cols);
  std::vector<double> y = std::vector<double>(rows);
  std::vector<double> ones = std::vector<double>(rows, 1.0);
  std::vector<double> zeros = std::vector<double>(rows, 0.0);

  explicit Instance(bool classes) {
    std::mt19937_64 rng(3);
    std::normal_distribution<double> normal;
    for (double& x : values) x = normal(rng);
    for (Index i = 0; i < rows; ++i) {
      y[i] = normal(rng);
      for (Index j = 0; j < 20; ++j) y[i] += values[j * rows + i];
      if (classes) y[i] = y[i] > 0 ? 1 : 0;
    }
  }
};

template <class L>
void expect_descent_without_allocations(const L& loss, bool classes, double lambda0) {
  const Instance data(classes);
  core::ThreadPool pool(1);
  const features::ColumnSource source(features::DenseColumns<double>{data.values.data(), rows, cols, rows}, data.ones,
                                      {true, false}, pool);
  const penalty::Penalty penalty({lambda0, 0.1, 0.5});
  std::vector<Index> all(cols);
  std::vector<const penalty::Coordinate*> coordinates(cols);
  for (Index j = 0; j < cols; ++j) {
    all[j] = j;
    coordinates[j] = &penalty[j];
  }
  solve::ConvexDescent descent(loss, {data.y, data.ones, data.zeros, true}, source.gather({}));
  descent.append(source.gather(all), coordinates);
  const double before = descent.objective();
  core::Stop stop(std::nullopt, nullptr);
  EXPECT_EQ(count_allocations([&] { descent.descend({1e-9, 0}, 100, stop); }), 0);
  EXPECT_LT(descent.objective(), before);
}

TEST(Allocation, counter_counts) {
  if (!counting) GTEST_SKIP() << "sanitizers own malloc";
  EXPECT_GE(count_allocations([] { std::vector<double>(1000).data()[0] = 1; }), 1);
}

TEST(Allocation, descent_allocates_nothing) {
  if (!counting) GTEST_SKIP() << "sanitizers own malloc";
  expect_descent_without_allocations(loss::Squared{}, false, 0.2);
  expect_descent_without_allocations(loss::Squared{}, false, 0);
  expect_descent_without_allocations(loss::Logistic{}, true, 0.2);
}

TEST(Allocation, local_search_allocates_nothing_once_its_support_has_had_its_size) {
  if (!counting) GTEST_SKIP() << "sanitizers own malloc";
  std::mt19937_64 rng(5);
  std::normal_distribution<double> normal;
  solve::GramModel model;
  model.size = cols;
  model.lambda1 = 0.05;
  model.lambda2 = 0.5;
  std::vector<double> X(rows * cols);
  for (double& x : X) x = normal(rng);
  model.G.resize(cols * cols);
  for (Index a = 0; a < cols; ++a)
    for (Index b = 0; b < cols; ++b)
      for (Index i = 0; i < rows; ++i) model.G[a * cols + b] += X[a * rows + i] * X[b * rows + i] / rows;
  for (Index a = 0; a < cols; ++a) model.c.push_back(normal(rng));
  model.jump.assign(cols, 0.1);
  model.fixed.assign(cols, 0);
  solve::GramSearch search(model);
  core::Stop stop(std::nullopt, nullptr);
  search.start({});
  search.improve(stop);  // the first time finds out how much room it takes
  const double value = search.value();
  EXPECT_LT(value, 0);
  EXPECT_EQ(count_allocations([&] {
              search.start({});
              search.improve(stop);
            }),
            0);
  EXPECT_DOUBLE_EQ(search.value(), value);
}

}  // namespace
}  // namespace ellzero
