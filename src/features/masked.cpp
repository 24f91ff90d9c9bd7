// Some rows of a source that lives elsewhere: vectors are spread over all its rows, 0 where a row is left out.
#include <algorithm>
#include <utility>

#include "features/column.hpp"
#include "features/make_source.hpp"

namespace ellzero::features {
namespace {

class MaskedSource final : public FeatureSource {
 public:
  MaskedSource(std::shared_ptr<const FeatureSource> whole, std::span<const Index> keep)
      : whole_(std::move(whole)), keep_(keep.begin(), keep.end()) {
    if (!whole_->is_sparse()) return;
    place_.assign(static_cast<std::size_t>(whole_->rows()), -1);
    for (std::size_t i = 0; i < keep_.size(); ++i) place_[keep_[i]] = static_cast<std::int32_t>(i);
  }

  [[nodiscard]] Index rows() const override { return static_cast<Index>(keep_.size()); }
  [[nodiscard]] Index cols() const override { return whole_->cols(); }
  [[nodiscard]] bool is_sparse() const override { return whole_->is_sparse(); }

  [[nodiscard]] Index stored(Index j) const override {
    if (!is_sparse()) return rows();
    Index count = 0;
    Column column;
    column.read(*whole_, j);
    column.for_each([&](Index i, double /*x*/) { count += place_[i] >= 0 ? 1 : 0; });
    return count;
  }

  void read(Index j, std::int32_t* rows, double* values) const override {
    Column column;
    column.read(*whole_, j);
    if (!is_sparse()) {
      for (const Index i : keep_) *values++ = column.values()[i];
      return;
    }
    column.for_each([&](Index i, double x) {
      if (place_[i] < 0) return;
      *rows++ = place_[i];
      *values++ = x;
    });
  }

  void sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const override {
    whole_->sweep(columns, spread(v.data()), out);
  }

  [[nodiscard]] double dot_from(Index j, double origin, std::span<const double> v) const override {
    return whole_->dot_from(j, origin, spread(v.data()));
  }

  void cross(std::span<const Index> columns, std::span<const double* const> v, std::span<double> out) const override {
    std::vector<std::vector<double>> all;
    std::vector<const double*> starts;
    for (const double* vk : v) starts.push_back(all.emplace_back(spread(vk)).data());
    whole_->cross(columns, starts, out);
  }

  void square_sums(std::span<const Index> columns, std::span<const double> w, double total_weight,
                   std::span<const double> means, std::span<double> out) const override {
    whole_->square_sums(columns, spread(w.data()), total_weight, means, out);
  }

  [[nodiscard]] double dot_error() const override { return whole_->dot_error(); }
  /// More than the source likes: each sweep spreads a vector first.
  [[nodiscard]] Index block() const override { return 16 * whole_->block(); }

 private:
  [[nodiscard]] std::vector<double> spread(const double* v) const {
    std::vector<double> all(static_cast<std::size_t>(whole_->rows()), 0.0);
    for (std::size_t i = 0; i < keep_.size(); ++i) all[keep_[i]] = v[i];
    return all;
  }

  std::shared_ptr<const FeatureSource> whole_;
  std::vector<Index> keep_;
  std::vector<std::int32_t> place_;  // of each row of a sparse source among those kept, -1 for the others
};

}  // namespace

std::shared_ptr<const FeatureSource> masked_source(std::shared_ptr<const FeatureSource> whole,
                                                   std::span<const Index> keep) {
  return std::make_shared<MaskedSource>(std::move(whole), keep);
}

}  // namespace ellzero::features
