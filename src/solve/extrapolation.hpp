// Anderson extrapolation: the combination of the last iterates that would be the limit if they moved linearly.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/kernels.hpp"
#include "solve/spd.hpp"

namespace ellzero::solve {

/// Remembers iterates that are given in parts; the first part decides the weights, every part is combined by them.
class Extrapolation {
 public:
  /// Room for iterates of so many numbers; forgets what was remembered.
  void resize(std::size_t numbers) {
    numbers_ = numbers;
    kept_.resize(numbers * (depth + 1));
    difference_.resize(numbers * depth);
    restart();
  }

  void restart() { count_ = 0; }

  /// True when enough iterates are known to combine them.
  bool remember(std::initializer_list<std::span<const double>> parts) {
    double* to = kept_.data() + count_ * numbers_;
    for (const auto& part : parts) to = std::copy(part.begin(), part.end(), to);
    return ++count_ > depth;
  }

  /// Writes the combination over the parts and forgets the iterates. False if there is none.
  bool combine(std::initializer_list<std::span<double>> parts) {
    restart();
    std::array<double, depth> weights{};
    if (!find_weights(parts.begin()->size(), weights)) return false;
    std::size_t first = 0;
    for (const auto& part : parts) {
      std::fill(part.begin(), part.end(), 0.0);
      for (std::size_t k = 0; k < depth; ++k) core::axpy(weights[k], kept_.data() + (k + 1) * numbers_ + first, part);
      first += part.size();
    }
    return true;
  }

 private:
  static constexpr std::size_t depth = 5;

  /// Weights of sum 1 that make the combined step as short as possible.
  bool find_weights(std::size_t size, std::array<double, depth>& weights) {
    std::array<double, depth * depth> products{};
    for (std::size_t k = 0; k < depth; ++k) {
      double* d = difference_.data() + k * size;
      const double *before = kept_.data() + k * numbers_, *after = before + numbers_;
      for (std::size_t c = 0; c < size; ++c) d[c] = after[c] - before[c];
      for (std::size_t l = 0; l <= k; ++l)
        products[k * depth + l] = products[l * depth + k] = core::dot(d, {difference_.data() + l * size, size});
    }
    weights.fill(1);
    if (!solve_spd(products, weights)) return false;
    double sum = 0;
    for (const double w : weights) sum += w;
    for (double& w : weights) w /= sum;
    return sum != 0;
  }

  std::size_t numbers_ = 0;
  std::size_t count_ = 0;
  std::vector<double> kept_, difference_;
};

}  // namespace ellzero::solve
