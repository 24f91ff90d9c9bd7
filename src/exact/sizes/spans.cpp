// Dependent columns behind spans.hpp.
#include "exact/sizes/spans.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/QR>

namespace ellzero::exact::sizes {
namespace {

bool known(const std::vector<std::uint64_t>& sets, std::uint64_t basis, std::uint64_t c) {
  return std::any_of(sets.begin(), sets.end(),
                     [&](std::uint64_t set) { return (set & c) != 0 && (set & ~(basis | c)) == 0; });
}

/// The denominator of the simplest fraction that is `number` but for rounding, or 0: continued fractions.
long denominator_of(double number) {
  constexpr double alike = 1e-8;
  constexpr long largest = 10'000;
  double left = std::abs(number);
  for (long before = 0, now = 1; now <= largest;) {
    const double whole = std::floor(left + alike);
    const double rest = std::abs(number) * static_cast<double>(now);
    if (std::abs(rest - std::round(rest)) <= alike * std::max(1.0, rest) && std::round(rest) > 0) return now;
    if (left - whole <= alike || left > largest) return 0;
    left = 1 / (left - whole);
    const long next = static_cast<long>(left + alike) * now + before;
    before = now;
    now = next;
  }
  return 0;
}

}  // namespace

std::vector<double> to_whole_numbers(std::span<const double> numbers) {
  constexpr long largest = 1L << 20;
  double least = std::abs(numbers[0]);
  for (const double number : numbers) least = std::min(least, std::abs(number));
  long common = 1;
  for (const double number : numbers) {
    const long denominator = denominator_of(number / least);
    if (denominator == 0) return {};
    common = std::lcm(common, denominator);
    if (common > largest) return {};
  }
  std::vector<double> whole;
  for (const double number : numbers) {
    whole.push_back(std::round(number / least * static_cast<double>(common)));
    if (std::abs(whole.back()) > static_cast<double>(largest)) return {};
  }
  return whole;
}

void Spans::examine(std::uint64_t basis, int c) {
  constexpr double rounding = 1e-9, small = 1e-3;
  std::vector<int> columns;
  for (; basis != 0; basis &= basis - 1) columns.push_back(std::countr_zero(basis));
  const auto rows = static_cast<Eigen::Index>(columns_[0].size());
  const auto column = [&](int k) {
    return Eigen::Map<const Eigen::VectorXd>(columns_[static_cast<std::size_t>(k)].data(), rows);
  };
  Eigen::MatrixXd x(rows, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) x.col(static_cast<Eigen::Index>(k)) = column(columns[k]);
  const Eigen::VectorXd a = x.colPivHouseholderQr().solve(column(c));

  std::vector<int> combined = {c};
  std::vector<double> coefficients = {-1};
  const std::uint64_t own = std::uint64_t{1} << c;
  std::uint64_t all = own, clearly = own;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const double size = std::abs(a[static_cast<Eigen::Index>(k)]);
    if (size <= rounding) continue;
    combined.push_back(columns[k]);
    coefficients.push_back(a[static_cast<Eigen::Index>(k)]);
    all |= std::uint64_t{1} << columns[k];
    if (size > small) clearly |= std::uint64_t{1} << columns[k];
  }
  if (vanishes_(combined, coefficients)) return exactly_.push_back(all);
  nearly_.push_back(clearly);
  if (std::popcount(clearly | in_) >= smallest_doubtful_) return;
  smallest_doubtful_ = std::popcount(clearly | in_);
  doubtful_ = clearly;
}

void Spans::note(std::uint64_t basis, std::uint64_t loose) {
  constexpr std::size_t most_sets = 5000;  // beyond that nothing is claimed
  if (exactly_.size() + nearly_.size() > most_sets) smallest_doubtful_ = 0;
  if (smallest_doubtful_ == 0) return;
  std::uint64_t accounted = basis;
  for (; loose != 0; loose &= loose - 1) {
    const std::uint64_t own = loose & -loose;
    if (!known(exactly_, accounted, own) && !known(nearly_, accounted, own)) examine(basis, std::countr_zero(loose));
    accounted |= own;
  }
}

}  // namespace ellzero::exact::sizes
