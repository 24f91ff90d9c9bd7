// Each group of columns is borrowed, asked as a dense matrix of its own, and given back.
#include "features/lent_columns.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <variant>

#include "features/make_source.hpp"

namespace ellzero::features {

/// The columns of one call to lend(), numbered from 0 as a matrix.
class LentColumns::Loan {
 public:
  Loan(const ColumnSource& source, std::span<const Index> columns, std::span<const Index> keep)
      : lent_(source.lend(columns)), columns_(columns) {
    if (!keep.empty()) check_entries();  // before their rows have other numbers
    matrix_ = std::visit([&](const auto& entries) { return dense_source(entries, keep); }, lent_.entries);
  }

  [[nodiscard]] const FeatureSource& matrix() const { return *matrix_; }

  /// A sum is finite unless an entry is not; only then are the entries looked at.
  void check(std::span<const double> sums) const {
    if (!std::all_of(sums.begin(), sums.end(), [](double sum) { return std::isfinite(sum); })) check_entries();
  }

 private:
  void check_entries() const {
    std::visit(
        [&](const auto& X) {
          for (Index c = 0; c < X.cols; ++c)
            for (Index i = 0; i < X.rows; ++i)
              if (const double x = X.data[i * X.row_stride + c * X.col_stride]; !std::isfinite(x))
                refuse_entry(i, columns_[c], x);
        },
        lent_.entries);
  }

  ColumnSource::Lent lent_;
  std::span<const Index> columns_;
  std::shared_ptr<const FeatureSource> matrix_;
};

LentColumns::LentColumns(const ColumnSource& source, std::span<const Index> keep)
    : source_(source), keep_(keep.begin(), keep.end()) {}

Index LentColumns::rows() const { return keep_.empty() ? source_.rows() : static_cast<Index>(keep_.size()); }

/// work(loan, places, first) for `columns`, block() at a time: they are columns `places` of the loan, and the first of
/// them is columns[first].
template <class Work>
void LentColumns::in_groups(std::span<const Index> columns, Work&& work) const {
  const auto step = static_cast<std::size_t>(std::max<Index>(1, block()));
  std::vector<Index> places(std::min(step, columns.size()));
  std::iota(places.begin(), places.end(), Index{0});
  for (std::size_t first = 0; first < columns.size(); first += step) {
    const auto group = columns.subspan(first, std::min(step, columns.size() - first));
    work(Loan(source_, group, keep_), std::span<const Index>(places).first(group.size()), first);
  }
}

void LentColumns::read(Index j, std::int32_t* rows, double* values) const {
  const Loan loan(source_, {&j, 1}, keep_);
  loan.matrix().read(0, rows, values);
  loan.check({values, static_cast<std::size_t>(this->rows())});
}

void LentColumns::sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const {
  in_groups(columns, [&](const Loan& loan, std::span<const Index> places, std::size_t first) {
    const auto sums = out.subspan(first, places.size());
    loan.matrix().sweep(places, v, sums);
    loan.check(sums);
  });
}

double LentColumns::dot_from(Index j, double origin, std::span<const double> v) const {
  const Loan loan(source_, {&j, 1}, keep_);
  const double sum = loan.matrix().dot_from(0, origin, v);
  loan.check({&sum, 1});
  return sum;
}

void LentColumns::cross(std::span<const Index> columns, std::span<const double* const> v, std::span<double> out) const {
  in_groups(columns, [&](const Loan& loan, std::span<const Index> places, std::size_t first) {
    std::vector<double> sums(v.size() * places.size());
    loan.matrix().cross(places, v, sums);
    loan.check(sums);
    for (std::size_t k = 0; k < v.size(); ++k)
      std::copy_n(sums.data() + k * places.size(), places.size(), out.data() + k * columns.size() + first);
  });
}

void LentColumns::square_sums(std::span<const Index> columns, std::span<const double> w, double total_weight,
                              std::span<const double> means, std::span<double> out) const {
  in_groups(columns, [&](const Loan& loan, std::span<const Index> places, std::size_t first) {
    const auto sums = out.subspan(first, places.size());
    loan.matrix().square_sums(places, w, total_weight, means.subspan(first, places.size()), sums);
    loan.check(sums);
  });
}

}  // namespace ellzero::features

namespace ellzero {

void ColumnSource::read(Index j, std::int32_t* rows, double* values) const {
  features::LentColumns(*this).read(j, rows, values);
}

void ColumnSource::sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const {
  features::LentColumns(*this).sweep(columns, v, out);
}

double ColumnSource::dot_from(Index j, double origin, std::span<const double> v) const {
  return features::LentColumns(*this).dot_from(j, origin, v);
}

void ColumnSource::cross(std::span<const Index> columns, std::span<const double* const> v,
                         std::span<double> out) const {
  features::LentColumns(*this).cross(columns, v, out);
}

void ColumnSource::square_sums(std::span<const Index> columns, std::span<const double> w, double total_weight,
                               std::span<const double> means, std::span<double> out) const {
  features::LentColumns(*this).square_sums(columns, w, total_weight, means, out);
}

}  // namespace ellzero
