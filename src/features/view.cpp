// What View does once for a problem, and for symmetry and Gram blocks.
#include "features/view.hpp"

#include <fmt/format.h>

#include "core/rounding.hpp"
#include "features/make_source.hpp"

namespace ellzero::features {

View::View(std::shared_ptr<const FeatureSource> source, std::span<const double> weights,
           Standardisation standardisation, core::ThreadPool& pool)
    : source_(std::move(source)),
      pool_(&pool),
      rows_(source_->rows()),
      cols_(source_->cols()),
      group_(std::clamp<Index>(source_->block(), 1, cols_)),
      dot_error_(source_->dot_error()),
      total_weight_(std::accumulate(weights.begin(), weights.end(), 0.0)),
      statistics_(std::make_shared<const ColumnStatistics>(
          column_statistics(*source_, weights, total_weight_, standardisation, pool))),
      origin_(statistics_->origin.data()),
      mean_(statistics_->mean.data()),
      scale_(statistics_->scale.data()),
      norm_(statistics_->norm.data()) {}

std::optional<std::pair<double, double>> View::multiples(Index a, Index b) const {
  const auto entries_of = [&](Index j) {
    std::vector<std::pair<Index, double>> entries;
    for_each_entry(j, [&](Index i, double x) {
      if (x != 0) entries.emplace_back(i, x);
    });
    return entries;
  };
  const auto in_a = entries_of(a), in_b = entries_of(b);
  if (in_a.empty() || in_a.size() != in_b.size()) return std::nullopt;
  const double first_a = in_a[0].second, first_b = in_b[0].second;
  for (const auto& [at_a, at_b] : {std::pair(origin(a), origin(b)), std::pair(mean(a), mean(b))})
    if (!core::equal_products(at_a, first_b, at_b, first_a)) return std::nullopt;
  for (std::size_t k = 0; k < in_a.size(); ++k)
    if (in_a[k].first != in_b[k].first || !core::equal_products(in_a[k].second, first_b, in_b[k].second, first_a))
      return std::nullopt;
  if (scale(a) == scale(b)) return std::pair(first_a, first_b);
  if (!core::equal_products(std::abs(first_a), scale(a), std::abs(first_b), scale(b))) return std::nullopt;
  return std::pair(first_a, std::copysign(first_a, first_b));
}

void View::refuse_product(std::span<const Index> columns, std::span<const double> dots) {
  const auto wrong = std::find_if(dots.begin(), dots.end(), [](double dot) { return !std::isfinite(dot); });
  if (wrong == dots.end()) refuse("X: the sum of some columns' products is not finite; rescale X");
  refuse(fmt::format("X: the product with column {} is {}; expected a finite number", columns[wrong - dots.begin()],
                     *wrong));
}

void View::cross(std::span<const double* const> v, std::span<const double> sum_v, std::span<double* const> out) const {
  std::vector<Index> buffer(static_cast<std::size_t>(group_));
  std::vector<double> dots(buffer.size() * v.size());
  for (Index first = 0; first < cols_; first += group_) {
    const std::span<Index> columns(buffer.data(), static_cast<std::size_t>(std::min(group_, cols_ - first)));
    std::iota(columns.begin(), columns.end(), first);
    source_->cross(columns, v, dots);
    for (std::size_t k = 0; k < v.size(); ++k)
      refuse_unless_finite(columns, std::span(dots).subspan(k * columns.size(), columns.size()));
    for (std::size_t k = 0; k < v.size(); ++k)
      for (std::size_t c = 0; c < columns.size(); ++c)
        out[k][columns[c]] =
            tau(columns[c], dots[k * columns.size() + c], {v[k], static_cast<std::size_t>(rows_)}, sum_v[k]);
  }
}

}  // namespace ellzero::features
