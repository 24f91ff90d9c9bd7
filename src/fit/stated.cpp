// Predictors with twice the digits, or all of them, and Newton steps to the intercept.
#include "fit/stated.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/compensated_sum.hpp"
#include "core/exact_sum.hpp"
#include "loss/all.hpp"

namespace ellzero::front {
namespace {

template <class L>
class Statement {
 public:
  /// Slopes are in the user's units.
  Statement(const problem::Problem<L>& problem, std::span<const Index> support, std::span<const double> slopes)
      : problem_(problem),
        support_(support),
        slopes_(slopes),
        z_(problem.given.y.size()),
        size_(z_.size()),
        u_(z_.size()),
        rest_(z_.size()) {
    for (std::size_t i = 0; i < z_.size(); ++i) {
      z_[i] = core::two_sum(problem.given.offset[i], own_term(i));
      size_[i] = std::abs(problem.given.offset[i]) + std::abs(own_term(i));
    }
    for (std::size_t c = 0; c < support.size(); ++c)
      problem.features.for_each_entry(support[c], [&](Index i, double x) {
        core::add_product(z_[i], slopes[c], x);
        size_[i] += std::abs(slopes[c] * x);
      });
  }

  /// The intercept in double that is best for these slopes: Newton steps from that of the solver, which is near.
  double best_intercept(double solver_intercept) {
    core::Pair near = core::two_sum(solver_intercept, problem_.given.shift);
    for (std::size_t c = 0; c < support_.size(); ++c) {
      core::add_product(near, -slopes_[c], problem_.features.origin(support_[c]));
      core::add_product(near, -slopes_[c], problem_.features.mean(support_[c]));
    }
    double b = near.high, best = b, least_slope = std::numeric_limits<double>::infinity();
    constexpr int most_steps = 4;
    for (int step = 0; step < most_steps; ++step) {
      set_predictor(b);
      core::CompensatedSum slope, curvature;
      for (std::size_t i = 0; i < u_.size(); ++i) {
        slope.add(problem_.weights[i] * problem_.loss.derivative(u_[i], target(i)));
        curvature.add(problem_.weights[i] * problem_.loss.curvature(u_[i], target(i)));
      }
      if (!(std::abs(slope.value()) < least_slope)) break;
      least_slope = std::abs(slope.value());
      best = b;
      b -= slope.value() / curvature.value();
      if (b == best || !std::isfinite(b)) break;  // not finite on a flat stretch of the loss
    }
    return best;
  }

  /// P of the slopes with this intercept.                                                               (1.1), (10.9)
  double objective(double intercept) {
    set_predictor(intercept);
    add_up_again(intercept);
    core::CompensatedSum sum;
    for (std::size_t i = 0; i < u_.size(); ++i) sum.add(problem_.weights[i] * loss_of(i));
    sum.add(problem_.penalty.at_zero());
    for (std::size_t c = 0; c < support_.size(); ++c) {
      if (slopes_[c] == 0) continue;  // its column may be constant, without a scale
      const auto& coordinate = problem_.penalty[support_[c]];
      const double beta = coordinate.clamp(slopes_[c] / problem_.features.scale(support_[c]));
      sum.add(coordinate.value(beta) - coordinate.value(0));
    }
    return sum.value();
  }

 private:
  /// u, which is less the targets already for squared loss.
  void set_predictor(double intercept) {
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const core::Pair sum = core::two_sum(z_[i].high, intercept);
      const core::Pair whole = core::two_sum(sum.high, sum.low + z_[i].low);
      u_[i] = whole.high;
      rest_[i] = whole.low;
    }
  }
  /// Twice the digits are too few where nearly all of what is added up cancels: there u loses none.
  void add_up_again(double intercept) {
    constexpr double few_left = 0x1p-50;  // of the some hundred bits of a pair no more than half may be lost
    std::vector<core::ExactSum> sums;
    std::vector<std::ptrdiff_t> sum_of(u_.size(), -1);
    for (std::size_t i = 0; i < u_.size(); ++i) {
      if (distance(i) >= few_left * (size_[i] + std::abs(intercept))) continue;
      sum_of[i] = std::ssize(sums);
      auto& sum = sums.emplace_back();
      for (const double term : {problem_.given.offset[i], own_term(i), intercept}) sum.add(term);
    }
    if (sums.empty()) return;
    for (std::size_t c = 0; c < support_.size(); ++c)
      problem_.features.for_each_entry(support_[c], [&](Index i, double x) {
        if (sum_of[i] >= 0) sums[sum_of[i]].add_product(slopes_[c], x);
      });
    for (std::size_t i = 0; i < u_.size(); ++i) {
      if (sum_of[i] < 0) continue;
      auto& sum = sums[sum_of[i]];
      u_[i] = sum.value();
      sum.add(-u_[i]);
      rest_[i] = sum.value();
    }
  }
  /// How far u is from where digits of the loss are lost: from 0, or from the margin.
  [[nodiscard]] double distance(std::size_t i) const {
    return std::abs(L::quadratic ? u_[i] : (1 - target(i) * u_[i]) - target(i) * rest_[i]);
  }
  /// A loss that is 0 away from 0 has digits to lose there.
  [[nodiscard]] double loss_of(std::size_t i) const {
    if constexpr (requires { problem_.loss.value_of_sum(0.0, 0.0, 0.0); })
      return problem_.loss.value_of_sum(u_[i], rest_[i], target(i));
    else return problem_.loss.value(u_[i], target(i));
  }
  /// What u is less already.
  [[nodiscard]] double own_term(std::size_t i) const { return L::quadratic ? -problem_.given.y[i] : 0; }
  [[nodiscard]] double target(std::size_t i) const { return L::quadratic ? 0 : problem_.given.y[i]; }

  const problem::Problem<L>& problem_;
  std::span<const Index> support_;
  std::span<const double> slopes_;
  std::vector<core::Pair> z_;  // o + X b, less y for squared loss
  std::vector<double> size_;   // of all that z adds up
  std::vector<double> u_, rest_;
};

}  // namespace

template <class L>
Stated state(const problem::Problem<L>& problem, std::span<const Index> support, std::span<const double> slopes,
             double solver_intercept) {
  Statement<L> statement(problem, support, slopes);
  const double intercept = problem.intercept ? statement.best_intercept(solver_intercept) : 0;
  return {intercept, statement.objective(intercept)};
}

#define INSTANTIATE(L) \
  template Stated state(const problem::Problem<L>&, std::span<const Index>, std::span<const double>, double);
ELLZERO_FOR_EACH_LOSS(INSTANTIATE)

}  // namespace ellzero::front
