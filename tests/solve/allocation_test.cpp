// Descents and local search work in memory that was set aside beforehand: once they run, nothing is allocated.
#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "core/stop.hpp"
#include "core/thread_pool.hpp"
#include "features/make_source.hpp"
#include "features/view.hpp"
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

struct Instance {
  Index rows, cols;
  std::vector<double> values = std::vector<double>(static_cast<std::size_t>(rows * cols));
  std::vector<double> y = std::vector<double>(static_cast<std::size_t>(rows));
  std::vector<double> ones = std::vector<double>(y.size(), 1.0);
  std::vector<double> zeros = std::vector<double>(y.size(), 0.0);

  Instance(Index n, Index p, bool classes) : rows(n), cols(p) {
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

/// Returns how many coefficients end up nonzero.
template <class L>
std::ptrdiff_t expect_descent_without_allocations(const L& loss, const Instance& data, double lambda0, double lambda1) {
  const Index rows = data.rows, cols = data.cols;
  core::ThreadPool pool(1);
  const features::View source(features::make_source(column_major(data.values.data(), rows, cols)), data.ones,
                              {true, false}, pool);
  const penalty::Penalty penalty({lambda0, lambda1, 0.5});
  std::vector<Index> all(static_cast<std::size_t>(cols));
  std::vector<const penalty::Coordinate*> coordinates(all.size());
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
  return std::count_if(all.begin(), all.end(), [&](Index c) { return descent.beta(c) != 0; });
}

TEST(Allocation, counter_counts) {
  if (!counting) GTEST_SKIP() << "sanitizers own malloc";
  EXPECT_GE(count_allocations([] { std::vector<double>(1000).data()[0] = 1; }), 1);
}

TEST(Allocation, descent_allocates_nothing) {
  if (!counting) GTEST_SKIP() << "sanitizers own malloc";
  const Instance numbers(120, 90, false), classes(120, 90, true);
  expect_descent_without_allocations(loss::Squared{}, numbers, 0.2, 0.1);
  expect_descent_without_allocations(loss::Squared{}, numbers, 0, 0.1);
  expect_descent_without_allocations(loss::Logistic{}, classes, 0.2, 0.1);
}

TEST(Allocation, descent_by_conjugate_gradients_allocates_nothing) {
  if (!counting) GTEST_SKIP() << "sanitizers own malloc";
  // More nonzeros than systems that are solved directly have columns, with and without some that end at 0.
  constexpr std::ptrdiff_t solved_directly = 500;
  const Instance numbers(300, 800, false), classes(300, 800, true);
  EXPECT_GT(expect_descent_without_allocations(loss::Squared{}, numbers, 0, 0), solved_directly);
  EXPECT_GT(expect_descent_without_allocations(loss::Squared{}, numbers, 1e-6, 0.01), solved_directly);
  EXPECT_GT(expect_descent_without_allocations(loss::Logistic{}, classes, 0, 1e-4), solved_directly);
}

TEST(Allocation, local_search_allocates_nothing_once_its_support_has_had_its_size) {
  if (!counting) GTEST_SKIP() << "sanitizers own malloc";
  std::mt19937_64 rng(5);
  std::normal_distribution<double> normal;
  constexpr Index rows = 120, cols = 90;
  solve::GramModel model;
  model.size = cols;
  model.lambda1 = 0.05;
  model.lambda2 = 0.5;
  std::vector<double> X(rows * cols);
  for (double& x : X) x = normal(rng);
  for (Index a = 0; a < cols; ++a)
    for (Index b = 0; b <= a; ++b) {
      double& product = model.G.emplace_back(0);
      for (Index i = 0; i < rows; ++i) product += X[a * rows + i] * X[b * rows + i] / rows;
    }
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
