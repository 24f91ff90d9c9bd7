// Checks what fit() and prove() claim, from the data alone and by code that shares nothing with the search.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "ellzero/dataset.hpp"
#include "ellzero/proof.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"
#include "ellzero/status.hpp"

namespace ellzero {

/// A solution in the user's units, and how good it is said to be.
struct Claim {
  double objective = 0;
  double lower_bound = 0;
  double intercept = 0;
  std::span<const Index> support;
  std::span<const double> coefficients;  ///< one for each of `support`
};

/// What a result claims of its solution: of the penalised one where its own coefficients are relaxed.
Claim claim_of(const Result& result);

/// How far a claim may be off, relative to its size: sums in another order differ by less, lies that matter by more.
inline constexpr double claim_tolerance = 1e-9;

/// P of the claim's coefficients, straight from its definition and with compensated sums. Settings::lambda2 must be set
/// to the value that was used. Throws Error(Numerical) if the claimed objective is another, or if the coefficients
/// break a bound, the budget, or the claim's own lower bound.
double verify_objective(const Dataset& data, const Settings& settings, const Claim& claim);

/// A lower bound on the optimum that the claim's own coefficients prove, without any search.
double own_lower_bound(const Dataset& data, const Settings& settings, const Claim& claim);

/// Whether the last digits of coefficients like the claim's may matter to a proof: columns, targets or offsets are far
/// larger than their spread, or prices tiny. Then a proof should be checked before it is relied on.
bool digits_matter(const Dataset& data, const Settings& settings, const Claim& claim);

/// Follows a proof record by record, as prove() writes it or as it is read from a file, and trusts none of it. Every
/// on_...() throws Error(Numerical) naming the node for a record that makes no sense.
class ProofCheck final : public ProofSink {
 public:
  /// Copies what it needs of the data. Settings::lambda2 must be set to the value that was used.
  ProofCheck(const Dataset& data, const Settings& settings);
  ProofCheck(ProofCheck&& other) noexcept;
  ProofCheck& operator=(ProofCheck&& other) noexcept;
  ~ProofCheck() override;

  void on_point(const ProofPoint& point) override;
  void on_split(std::int64_t node, Index feature, std::int64_t in_node, std::int64_t out_node) override;
  void on_diagonal(std::int64_t number, std::span<const Index> features, std::span<const double> d) override;

  /// The claim's own coefficients as a point at node 0: whatever they are, they prove something.
  void on_claim(const Claim& claim);

  /// What the records so far prove: no coefficients have a smaller objective. Before the first point only
  /// what always-in features cost.
  [[nodiscard]] double lower_bound() const;
  /// What the records prove of a feature, where verify_objective() has found that objective.
  [[nodiscard]] Verdict verdict(Index feature, double objective) const;
  [[nodiscard]] Index nodes() const;
  [[nodiscard]] Index points() const;

  /// Throws Error(Numerical) naming the weakest node if the records prove less than that.
  void require(double claimed_lower_bound) const;

 private:
  class Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace ellzero
