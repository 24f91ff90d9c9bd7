// What a loss must offer, and how weights change it: every formula of docs/math.md section 2 behind one concept.
#pragma once

#include <concepts>
#include <string_view>

#include "ellzero/settings.hpp"

namespace ellzero::loss {

/// All functions are of one sample: u is the linear predictor, y the target, a the dual variable of a sample of
/// weight 1. A loss is convex with infimum 0, so that 0 lies in F with l*(0) = 0 and D(0) is a bound for every problem.
template <class L>
concept Loss = std::copyable<L> && requires(const L& loss, const Settings& settings, double u, double y, double a) {
  { L::name } -> std::convertible_to<std::string_view>;     // as the user writes it in Settings::loss
  { L::targets } -> std::convertible_to<std::string_view>;  // what validation expects of y, in words
  { L::classifies } -> std::convertible_to<bool>;           // two classes: one class alone has no best intercept
  { L::quadratic } -> std::convertible_to<bool>;            // l'' is constant: a second-order model is exact
  { L::is_target(y) } -> std::same_as<bool>;
  { L::from(settings) } -> std::same_as<L>;
  { loss.mu() } -> std::same_as<double>;                        // l'' <= 1/mu
  { loss.value(u, y) } -> std::same_as<double>;                 // l
  { loss.derivative(u, y) } -> std::same_as<double>;            // l'
  { loss.curvature(u, y) } -> std::same_as<double>;             // l'' (one of its two values at a kink of l')
  { loss.conjugate(a, y) } -> std::same_as<double>;             // l*, +inf outside the domain F
  { loss.conjugate_derivative(a, y) } -> std::same_as<double>;  // l*', +-inf at an end of F where it is steep
  { loss.project(a, y) } -> std::same_as<double>;               // the nearest point of F
  { loss.conjugate_error(a, y) } -> std::same_as<double>;  // rounding of conjugate(), `a` itself off by one rounding
};

/// l_i*(a) = w l*(a/w) for a sample of weight w > 0.
template <Loss L>
double weighted_conjugate(const L& loss, double w, double a, double y) {
  return w * loss.conjugate(a / w, y);
}

/// Bounds |computed - exact| of weighted_conjugate; the division and the product round as well.
template <Loss L>
double weighted_conjugate_error(const L& loss, double w, double a, double y) {
  return w * loss.conjugate_error(a / w, y);
}

/// The nearest point of F_i = w F.
template <Loss L>
double weighted_project(const L& loss, double w, double a, double y) {
  return w * loss.project(a / w, y);
}

}  // namespace ellzero::loss
