// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <nlohmann/json.hpp>

#include "tactus/flight/report/flight_document.h"
#include "tactus/replay/branch/branch_flight.h"

namespace tactus {
namespace {

Json origin_json(const BranchOrigin& origin) {
  Json json = {{"parent", origin.parent},
               {"at_us", origin.at.us},
               {"branched", origin.branched},
               {"flown_from_us", origin.from.us},
               {"changes", origin.changes},
               {"parent_flight_digest", nullptr},
               {"parent_end_us", origin.parent_end.time.us},
               {"parent_complete", origin.parent_end.complete}};
  if (origin.knows_digest()) {
    json["parent_flight_digest"] = to_hex(origin.parent_end.flight_digest);
  }
  if (!origin.branched) return json;
  json["same_flight"] = origin.same;
  json["equal_as_far_as_the_parent"] = origin.equal_as_far_as_the_parent();
  if (origin.first_difference) json["first_difference_us"] = origin.first_difference->us;
  if (origin.apart_m) {
    json["apart_m"] = *origin.apart_m;
    json["apart_at_us"] = origin.apart_at.us;
  }
  return json;
}

}  // namespace

std::string branch_json(const BranchFlight& flown, const std::vector<std::string>& files) {
  Json json = flight_document(flown.flight, files);
  json["branch"] = origin_json(flown.origin);
  return json_text(json);
}

}  // namespace tactus
