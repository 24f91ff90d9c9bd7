// Both directions of evidence_json.hpp.
#include "io/model/evidence_json.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace ellzero::io::model {
namespace {

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

Json to_json(const VerdictLists& verdicts) {
  return {{"always", verdicts.always}, {"never", verdicts.never}, {"undecided", verdicts.undecided}};
}

VerdictLists verdicts_of(const JsonPlace& place, Index p) {
  VerdictLists verdicts;
  const auto read = [&](const char* key, std::vector<Index>& list) {
    for (const JsonPlace& element : place[key].elements()) {
      const Index j = element.whole();
      if (j >= p || (!list.empty() && j <= list.back()) || verdicts.of(j) != Verdict::Never)
        element.refuse(fmt::format("ascending features from 0 to {}, each once", p - 1));
      list.push_back(j);
    }
  };
  read("always", verdicts.always);
  read("undecided", verdicts.undecided);
  verdicts.never = p - static_cast<Index>(verdicts.always.size() + verdicts.undecided.size());
  if (place["never"].whole() != verdicts.never)
    place["never"].refuse(fmt::format("{}, the features not in a list", verdicts.never));
  return verdicts;
}

Json to_json(const std::vector<Moment>& course) {
  Json list = Json::array();
  for (const Moment& moment : course)
    list.push_back({{"seconds", moment.seconds},
                    {"objective", finite_or_null(moment.objective)},
                    {"lower_bound", finite_or_null(moment.lower_bound)},
                    {"nodes", moment.nodes}});
  return list;
}

std::vector<Moment> course_of(const JsonPlace& list) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<Moment> course;
  for (const JsonPlace& entry : list.elements()) {
    const double seconds = entry["seconds"].number();
    if (seconds < (course.empty() ? 0 : course.back().seconds)) entry["seconds"].refuse("times that never fall");
    course.push_back({seconds, entry["objective"].number_or(unknown), entry["lower_bound"].number_or(unknown),
                      entry["nodes"].whole()});
  }
  return course;
}

}  // namespace ellzero::io::model
