// Gathers inner products for compact.hpp.
#include "exact/gram/compact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/kernels.hpp"
#include "core/rounding.hpp"

namespace ellzero::exact::gram {

Compact::Compact(const Quadratic& quadratic, std::vector<Index> chosen)
    : constant(quadratic.constant()), target(quadratic.target()) {
  capacity = static_cast<Index>(chosen.size()) + 32;
  H = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(capacity * capacity));
  features.reserve(static_cast<std::size_t>(capacity));
  quadratic.know(chosen);
  for (const Index j : chosen) {
    const auto row = quadratic.row(j);
    double* to = H.get() + size() * capacity;
    for (std::size_t k = 0; k < chosen.size(); ++k) to[k] = row[chosen[k]];
    to[size()] -= quadratic.d(j);
    features.push_back(j);
    d.push_back(quadratic.d(j));
    c.push_back(quadratic.c(j));
    sizes.push_back(quadratic.column(j));
    free.push_back(quadratic.free(j));
    in.push_back(quadratic.in(j));
  }
}

void Compact::set_far(const Quadratic& quadratic, std::vector<Far> others) {
  far = std::move(others);
  std::sort(far.begin(), far.end(), [](const Far& x, const Far& y) {
    return x.reach < y.reach || (x.reach == y.reach && x.feature < y.feature);
  });
  far_c.resize(far.size());
  for (std::size_t k = 0; k < far.size(); ++k) far_c[k] = quadratic.c(far[k].feature);
  far_rows_.assign(features.size(), {});
}

void Compact::move_diagonal(Index i, double to) {
  H[i * capacity + i] += d[i] - to;
  const double lambda2 = free[i].lambda2() + 0.5 * (to - d[i]);
  free[i] = free[i].with_lambda2(lambda2);
  in[i] = in[i].with_lambda2(lambda2);
  d[i] = to;
}

void Compact::far_tau(const Quadratic& quadratic, std::span<const double> b, std::size_t count,
                      std::vector<double>& tau) {
  const bool most = 2 * count > far.size();  // then whole rows are read faster than chosen products are gathered
  if (most) all_.assign(static_cast<std::size_t>(quadratic.size()), 0.0);
  tau.assign(count, 0.0);
  for (Index i = 0; i < static_cast<Index>(b.size()); ++i) {
    if (b[i] == 0) continue;
    const auto row = quadratic.row(features[i]);
    if (most) {
      core::axpy(b[i], row.data(), std::span<double>(all_));
      continue;
    }
    auto& near = far_rows_[i];
    if (near.size() < count) {
      near.reserve(std::min(2 * count, far.size()));
      while (near.size() < count) near.push_back(row[far[near.size()].feature]);
    }
    core::axpy(b[i], near.data(), std::span<double>(tau));
  }
  for (std::size_t k = 0; k < count; ++k) tau[k] = (most ? all_[far[k].feature] : tau[k]) - far_c[k];
}

void Compact::append(const Quadratic& quadratic, Far& joining) {
  const Index feature = joining.feature;
  joining.joined = true;
  const Index m = size();
  if (m == capacity) {
    const Index wider = capacity + capacity / 2;
    auto grown = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(wider * wider));
    for (Index i = 0; i < m; ++i) std::copy_n(row(i), m, grown.get() + i * wider);
    H = std::move(grown);
    capacity = wider;
  }
  features.push_back(feature);
  const auto from = quadratic.row(feature);
  for (Index i = 0; i <= m; ++i) H[m * capacity + i] = H[i * capacity + m] = from[features[i]];
  H[m * capacity + m] -= quadratic.d(feature);
  d.push_back(quadratic.d(feature));
  c.push_back(quadratic.c(feature));
  sizes.push_back(quadratic.column(feature));
  free.push_back(quadratic.free(feature));
  in.push_back(quadratic.in(feature));
  far_rows_.emplace_back();
  double tau = -c.back();
  for (Index i = 0; i < m; ++i) tau += reference_b[i] * row(m)[i];
  reference_b.push_back(0);
  reference_tau.push_back(tau);
}

void Compact::set_reference(std::span<const double> b) {
  reference_b.assign(b.begin(), b.end());
  reference_tau.assign(features.size(), 0.0);
  for (Index i = 0; i < size(); ++i)
    if (b[i] != 0) core::axpy(b[i], row(i), std::span<double>(reference_tau));
  for (Index i = 0; i < size(); ++i) reference_tau[i] -= c[i];
}

FarTau far_tau_at(const Quadratic& quadratic, Compact& compact, std::span<const double> b) {
  FarTau result;
  compact.far_tau(quadratic, b, compact.far.size(), result.tau);
  double length = compact.target.norm, error = compact.target.error;
  for (Index i = 0; i < static_cast<Index>(b.size()); ++i) {
    if (b[i] == 0) continue;
    length += std::abs(b[i]) * compact.sizes[i].norm;
    error += std::abs(b[i]) * compact.sizes[i].error;
  }
  double worst = 0;  // error of a far column for each unit of its norm
  for (const auto& far : compact.far) {
    const auto& size = quadratic.column(far.feature);
    worst = std::max(worst, size.error / size.norm);
  }
  const auto terms = static_cast<double>(b.size() + 8);
  result.error = 2 * (error + (worst + terms * core::unit_roundoff) * length);
  return result;
}

Compact choose_near(const Quadratic& quadratic, const OpenNode& root) {
  std::vector<char> decided(static_cast<std::size_t>(quadratic.size()), 0);
  std::vector<double> b(static_cast<std::size_t>(quadratic.size()), 0.0);
  for (const auto& [j, value] : root.start) b[j] = value;
  for (const Index j : root.out) {
    decided[j] = 1;
    b[j] = 0;
  }
  for (const Index j : root.in) decided[j] = 1;
  std::vector<double> tau(b.size(), 0.0);
  std::vector<Index> chosen = root.in;
  for (Index j = 0; j < quadratic.size(); ++j)
    if (b[j] != 0) {
      core::axpy(b[j], quadratic.row(j).data(), std::span<double>(tau));
      tau[j] -= quadratic.d(j) * b[j];
      if (decided[j] == 0) chosen.push_back(j);
    }
  const std::size_t used = chosen.size() - root.in.size();
  std::vector<Compact::Far> others;
  for (const Index j : *root.alive)
    if (decided[j] == 0 && b[j] == 0)
      others.push_back({(quadratic.free(j).threshold(quadratic.c(j) - tau[j]) - std::abs(tau[j] - quadratic.c(j))) /
                            quadratic.column(j).norm,
                        j});
  constexpr std::size_t fewest = 150;
  std::size_t near = std::max(fewest, used);
  if (others.size() < near + near / 2) near = others.size();  // not worth keeping apart
  std::nth_element(
      others.begin(), others.begin() + static_cast<std::ptrdiff_t>(near), others.end(),
      [](const auto& x, const auto& y) { return x.reach < y.reach || (x.reach == y.reach && x.feature < y.feature); });
  for (std::size_t k = 0; k < near; ++k) chosen.push_back(others[k].feature);
  others.erase(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(near));
  Compact compact(quadratic, std::move(chosen));
  for (auto& far : others) far.reach = -std::numeric_limits<double>::infinity();  // until the root is settled
  compact.set_far(quadratic, std::move(others));
  std::vector<double> start;
  for (const Index j : compact.features) start.push_back(b[j]);
  compact.set_reference(start);
  return compact;
}

}  // namespace ellzero::exact::gram
