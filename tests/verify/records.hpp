// A proof as a list of records that can be kept, changed and handed to a checker or a file.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "ellzero/proof.hpp"

namespace ellzero::testing {

struct PointRecord {
  std::int64_t node = 0;
  double intercept = 0;
  std::vector<Index> support;
  std::vector<double> values;
  std::vector<Index> in, out;
  bool closes = false;
  std::int64_t diagonal = -1;
};

struct SplitRecord {
  std::int64_t node = 0;
  Index feature = 0;
  std::int64_t in_node = 0, out_node = 0;
};

struct DiagonalRecord {
  std::int64_t number = 0;
  std::vector<Index> features;
  std::vector<double> d;
};

using Record = std::variant<PointRecord, SplitRecord, DiagonalRecord>;

class Records final : public ProofSink {
 public:
  std::vector<Record> list;

  void on_point(const ProofPoint& p) override {
    const auto copy = [](auto span) { return std::vector(span.begin(), span.end()); };
    list.emplace_back(PointRecord{p.node, p.intercept, copy(p.support), copy(p.values), copy(p.in), copy(p.out),
                                  p.closes, p.diagonal});
  }
  void on_split(std::int64_t node, Index feature, std::int64_t in_node, std::int64_t out_node) override {
    list.emplace_back(SplitRecord{node, feature, in_node, out_node});
  }
  void on_diagonal(std::int64_t number, std::span<const Index> features, std::span<const double> d) override {
    list.emplace_back(DiagonalRecord{number, {features.begin(), features.end()}, {d.begin(), d.end()}});
  }

  void replay(ProofSink& sink) const {
    for (const Record& record : list) {
      if (const auto* p = std::get_if<PointRecord>(&record))
        sink.on_point({p->node, p->intercept, p->support, p->values, p->in, p->out, p->closes, p->diagonal});
      else if (const auto* s = std::get_if<SplitRecord>(&record))
        sink.on_split(s->node, s->feature, s->in_node, s->out_node);
      else if (const auto* d = std::get_if<DiagonalRecord>(&record)) sink.on_diagonal(d->number, d->features, d->d);
    }
  }
};

}  // namespace ellzero::testing
