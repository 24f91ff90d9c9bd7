// The copy of ActiveMatrix: columns read in place, then centred and scaled.
#include "features/active.hpp"

namespace ellzero::features {

ActiveMatrix::ActiveMatrix(const FeatureSource& from, std::span<const Index> columns,
                           const ColumnStatistics& statistics)
    : rows_(from.rows()) {
  if (columns.empty()) return;
  const bool sparse = from.is_sparse();
  std::vector<Index> stored;
  stored.reserve(columns.size());
  std::size_t size = 0;
  const auto room = [&](Index count) { return sparse ? count : (count + 7) / 8 * 8; };  // dense: whole cache lines
  for (const Index j : columns) size += static_cast<std::size_t>(room(stored.emplace_back(from.stored(j))));
  Block& block = blocks_.emplace_back();
  block.values.reset(new (std::align_val_t{64}) double[size]);
  if (sparse) block.rows = std::make_unique_for_overwrite<std::int32_t[]>(size);
  double* values = block.values.get();
  std::int32_t* rows = block.rows.get();
  columns_.reserve(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Index j = columns[c];
    const double origin = statistics.origin[j], scale = statistics.scale[j];
    const double mean = sparse ? 0 : statistics.mean[j];
    from.read(j, rows, values);
    if (origin == 0)
      for (Index i = 0; i < stored[c]; ++i) values[i] = (values[i] - mean) * scale;
    else
      for (Index i = 0; i < stored[c]; ++i) values[i] = ((values[i] - origin) - mean) * scale;
    columns_.push_back({values, rows, stored[c], sparse ? statistics.mean[j] * scale : 0});
    values += room(stored[c]);
    if (sparse) rows += stored[c];
  }
}

}  // namespace ellzero::features
