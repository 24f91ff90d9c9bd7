// Conjugate gradients for symmetric positive semi-definite systems that are only known by their products.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace ellzero::solve {

class ConjugateGradients {
 public:
  /// Room for systems of so many unknowns.
  void reserve(std::size_t unknowns) {
    for (auto* each : {&residual_, &along_, &image_, &diagonal_}) each->reserve(unknowns);
  }

  /// The diagonal that the next system is scaled by, to be filled: all entries positive.
  std::span<double> diagonal(std::size_t unknowns) {
    for (auto* each : {&residual_, &along_, &image_, &diagonal_}) each->resize(unknowns);
    return diagonal_;
  }

  /// rhs - H x after the last step
  [[nodiscard]] std::span<const double> residual() const { return residual_; }

  /// Writes an approximate solution of H x = rhs over x; multiply(v, out) writes H v. Ends after `steps` products, when
  /// close(residual) says so, or along a direction without curvature. Every step lowers x'Hx/2 - rhs'x.
  template <class Multiply, class Close>
  void solve(std::span<const double> rhs, std::span<double> x, int steps, Multiply&& multiply, Close&& close) {
    const std::size_t k = rhs.size();
    double square = 0;
    for (std::size_t c = 0; c < k; ++c) {
      x[c] = 0;
      residual_[c] = rhs[c];
      along_[c] = rhs[c] / diagonal_[c];
      square += rhs[c] * along_[c];
    }
    for (int step = 0; step < steps && square > 0 && !close(std::span<const double>(residual_)); ++step) {
      multiply(std::span<const double>(along_), std::span<double>(image_));
      double curvature = 0;
      for (std::size_t c = 0; c < k; ++c) curvature += along_[c] * image_[c];
      if (!(curvature > 0)) return;
      const double length = square / curvature;
      double next = 0;
      for (std::size_t c = 0; c < k; ++c) {
        x[c] += length * along_[c];
        residual_[c] -= length * image_[c];
        next += residual_[c] * residual_[c] / diagonal_[c];
      }
      const double keep = next / square;
      for (std::size_t c = 0; c < k; ++c) along_[c] = residual_[c] / diagonal_[c] + keep * along_[c];
      square = next;
    }
  }

 private:
  std::vector<double> residual_, along_, image_, diagonal_;
};

}  // namespace ellzero::solve
