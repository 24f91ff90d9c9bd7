// Both directions of evidence_json.hpp.
#include "io/evidence_json.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace ellzero::io {
namespace {

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

Json to_json(const std::vector<Verdict>& verdicts) {
  Json json = {{"always", Json::array()}, {"never", 0}, {"undecided", Json::array()}};
  Index never = 0;
  for (std::size_t j = 0; j < verdicts.size(); ++j) {
    if (verdicts[j] == Verdict::Never) ++never;
    else json[verdicts[j] == Verdict::Always ? "always" : "undecided"].push_back(j);
  }
  json["never"] = never;
  return json;
}

std::vector<Verdict> verdicts_of(const JsonPlace& place, Index p) {
  constexpr Index most = Index{1} << 31;  // what no file can list, no memory should be taken for
  if (p > most) place.refuse(fmt::format("no verdicts on more than {} features", most));
  std::vector<Verdict> verdicts(static_cast<std::size_t>(p), Verdict::Never);
  Index never = p;
  const auto mark = [&](const char* key, Verdict verdict) {
    for (const JsonPlace& element : place[key].elements()) {
      const Index j = element.whole();
      if (j >= p || verdicts[j] != Verdict::Never)
        element.refuse(fmt::format("features from 0 to {}, each once", p - 1));
      verdicts[j] = verdict;
      --never;
    }
  };
  mark("always", Verdict::Always);
  mark("undecided", Verdict::Undecided);
  if (place["never"].whole() != never) place["never"].refuse(fmt::format("{}, the features not in a list", never));
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

}  // namespace ellzero::io
