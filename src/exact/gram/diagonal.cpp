// Coordinate ascent and factorisations behind diagonal.hpp.
#include "exact/gram/diagonal.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "core/kernels.hpp"

namespace ellzero::exact::gram {

DiagonalShare diagonal_share(const penalty::Coordinate& free, bool in, double b, double tau, double share_of_room) {
  const double lambda2 = free.lambda2(), lambda0 = free.jump();
  if (in || lambda0 == 0) return {0, 2 * lambda2 * 0.9};  // not all: a bound from an inexact b needs some
  const double size = std::abs(b);
  double least = 0;  // lambda2_j that leaves this solution as it is
  if (size == 0) {
    const double excess = std::max(0.0, std::abs(tau) - free.lambda1());
    least = excess * excess / (4 * lambda0);
  } else {
    const double knee = free.knee(b);
    if (size < knee) return {size * (knee - size), 0};
    least = lambda0 / (size * size);
  }
  return {0, 2 * share_of_room * std::max(0.0, lambda2 - least)};
}

std::vector<double> best_diagonal(std::span<double> P, std::span<const double> gain) {
  const auto f = static_cast<Index>(gain.size());
  constexpr double small = 1e-3;
  std::vector<double> d(gain.size(), 0.0), column(gain.size());
  double scale = 0;  // of what the barrier weighs against
  for (Index j = 0; j < f; ++j) scale = std::max(scale, gain[j] / P[j * f + j]);
  if (!(scale > 0) || !std::isfinite(scale)) return {};
  for (double barrier = 0.3 * scale; barrier > 2e-3 * scale; barrier *= 0.4)
    for (int cycle = 0; cycle < 2; ++cycle)
      for (Index j = 0; j < f; ++j) {
        const double p = P[j * f + j];
        const double t = std::max(1 / p - barrier / gain[j], -d[j]);  // best by itself, d_j >= 0
        if (!(p > 0) || std::abs(t) < small / p) continue;
        d[j] += t;
        for (Index a = 0; a < f; ++a) column[a] = a < j ? P[j * f + a] : P[a * f + j];
        const double factor = t / (1 - t * p);  // P += factor P_j P_j', its lower triangle
        for (Index a = 0; a < f; ++a)
          core::axpy(factor * column[a], column.data(), P.subspan(static_cast<std::size_t>(a * f), a + 1));
      }
  return d;
}

bool inverse_block(std::span<double> M, std::span<const Index> rows, std::vector<double>& block) {
  const auto f = static_cast<Index>(rows.size());
  const auto m = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(M.size()))));
  Eigen::Map<Eigen::MatrixXd> matrix(M.data(), m, m);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(matrix);
  if (factor.info() != Eigen::Success) return false;
  const auto diagonal = matrix.diagonal();
  if (!(diagonal.minCoeff() > 1e-5 * diagonal.maxCoeff())) return false;
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(m, f);
  for (Index k = 0; k < f; ++k) columns(rows[k], k) = 1;
  factor.matrixL().solveInPlace(columns);
  block.resize(static_cast<std::size_t>(f * f));
  Eigen::Map<Eigen::MatrixXd>(block.data(), f, f).noalias() = columns.transpose() * columns;
  return true;
}

bool strengthen_all(Quadratic& quadratic) {
  constexpr Index largest = 1500;
  std::vector<Index> alive, all;
  for (Index j = 0; j < quadratic.size(); ++j)
    if (quadratic.column(j).norm > 0) alive.push_back(j);
  const auto m = static_cast<Index>(alive.size());
  if (m == 0 || m > largest) return false;
  for (Index k = 0; k < m; ++k) all.push_back(k);
  std::vector<double> scale(alive.size()), scaled(static_cast<std::size_t>(m * m)), inverse;
  double error = 0;
  for (Index k = 0; k < m; ++k) {
    scale[k] = 1 / quadratic.column(alive[k]).norm;
    error = std::max(error, quadratic.column(alive[k]).error * scale[k]);
  }
  for (Index k = 0; k < m; ++k)
    for (Index l = 0; l < m; ++l) scaled[k * m + l] = quadratic.row(alive[k])[alive[l]] * scale[k] * scale[l];
  auto work = scaled;
  if (!inverse_block(work, all, inverse)) return false;
  double trace = 0;
  for (Index k = 0; k < m; ++k) trace += inverse[k * m + k];
  const double least = 0.5 / trace;  // at most half the least eigenvalue: every feature needs some curvature
  work = scaled;
  for (Index k = 0; k < m; ++k) work[k * m + k] -= least;
  if (!inverse_block(work, all, inverse)) return false;
  auto d = best_diagonal(inverse, std::vector<double>(alive.size(), 1.0));
  if (d.empty()) return false;
  for (double& dk : d) dk += least;
  const double margin = 1e-10 + 8 * static_cast<double>(m) * error;
  for (Index k = 0; k < m; ++k) scaled[k * m + k] -= (d[k] *= 1 - 1e-6) + margin;
  if (!is_positive_definite(scaled, alive.size())) return false;
  for (Index k = 0; k < m; ++k) quadratic.move_diagonal(alive[k], d[k] / (scale[k] * scale[k]));
  return true;
}

struct SampleKernel::State {
  Eigen::MatrixXd kernel, pending;  // pending columns are added block by block
  Index waiting = 0;
  std::vector<double> gainers, gain;

  void flush() {
    if (waiting == 0) return;
    kernel.selfadjointView<Eigen::Lower>().rankUpdate(pending.leftCols(waiting));
    waiting = 0;
  }
};

SampleKernel::SampleKernel(Index samples) : state_(std::make_unique<State>()) {
  constexpr Index block = 256;
  state_->kernel = Eigen::MatrixXd::Identity(samples, samples);
  state_->pending.resize(samples, block);
}

SampleKernel::~SampleKernel() = default;

void SampleKernel::add_giver(std::span<const double> z, double give) {
  if (state_->waiting == state_->pending.cols()) state_->flush();
  state_->pending.col(state_->waiting++) =
      Eigen::Map<const Eigen::VectorXd>(z.data(), static_cast<Index>(z.size())) / std::sqrt(give);
}

void SampleKernel::add_gainer(std::span<const double> z, double gain) {
  state_->gainers.insert(state_->gainers.end(), z.begin(), z.end());
  state_->gain.push_back(gain);
}

std::vector<double> SampleKernel::best() {
  const auto f = static_cast<Index>(state_->gain.size());
  const Index n = state_->kernel.rows();
  if (f == 0 || f > n) return {};
  state_->flush();
  const double kernel_size = state_->kernel.trace();  // its least eigenvalue is 1
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(state_->kernel);
  if (factor.info() != Eigen::Success) return {};
  Eigen::MatrixXd Z = Eigen::Map<const Eigen::MatrixXd>(state_->gainers.data(), n, f);
  // |Z'(dK)Z| <= 8 n u |K| |Z|^2 is what rounding in K and its factor can add to S
  const double error = 8 * static_cast<double>(n) * 0x1p-53 * kernel_size * Z.squaredNorm();
  factor.matrixL().solveInPlace(Z);
  Eigen::MatrixXd S = Z.transpose() * Z;
  const Eigen::LLT<Eigen::MatrixXd> small(S);
  if (small.info() != Eigen::Success) return {};
  const Eigen::MatrixXd L = small.matrixL();
  if (!(L.diagonal().minCoeff() > 1e-4 * L.diagonal().maxCoeff())) return {};
  Eigen::MatrixXd P = small.solve(Eigen::MatrixXd::Identity(f, f));
  auto d = best_diagonal({P.data(), static_cast<std::size_t>(f * f)}, state_->gain);
  const double margin = 1e-9 * S.diagonal().maxCoeff() + error;
  for (Index k = 0; k < f && !d.empty(); ++k) {
    d[k] *= 1 - 1e-6;
    S(k, k) -= d[k] + margin;
  }
  if (!is_positive_definite({S.data(), static_cast<std::size_t>(f * f)}, static_cast<std::size_t>(f))) d.clear();
  return d;
}

bool is_positive_definite(std::span<double> M, std::size_t m) {
  Eigen::Map<Eigen::MatrixXd> matrix(M.data(), static_cast<Index>(m), static_cast<Index>(m));
  return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(matrix).info() == Eigen::Success;
}

}  // namespace ellzero::exact::gram
