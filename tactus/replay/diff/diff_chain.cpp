// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/diff/diff_chain.h"

#include <algorithm>

namespace tactus {
namespace {

using Link = DigestChain::Link;
constexpr char kFlightDigest[] = "/chain/flight_digest";

std::vector<Link> links_of(const Table& table) {
  std::vector<Link> links;
  const RowField* const flight = table.layout.find(kFlightDigest);
  if (flight == nullptr || flight->width != 2) return links;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::byte* const row = table.row(i).data();
    links.push_back(
        {table.time(i), {whole_number(*flight, 0, row), whole_number(*flight, 1, row)}});
  }
  return links;
}

/// Links of `of` at instants that `other` has too.
std::vector<Link> common(const std::vector<Link>& of, const std::vector<Link>& other) {
  std::vector<Link> links;
  std::size_t j = 0;
  for (const Link& link : of) {
    while (j < other.size() && other[j].time < link.time) ++j;
    if (j < other.size() && other[j].time == link.time) links.push_back(link);
  }
  return links;
}

std::vector<std::string> signals_at(const Table& a, const Table& b, TimeUs time) {
  std::vector<std::string> signals;
  const std::byte* const row_a = a.row(*a.at(time)).data();
  const std::byte* const row_b = b.row(*b.at(time)).data();
  for (const RowField& field : a.layout.fields) {
    const RowField* const other = b.layout.find(field.path);
    const bool is_signal = field.path.starts_with("/chain/") && field.path != kFlightDigest;
    if (!is_signal || other == nullptr) continue;
    if (whole_number(field, 0, row_a) != whole_number(*other, 0, row_b)) {
      signals.push_back(leaf_name(field, 0));
    }
  }
  return signals;
}

}  // namespace

std::optional<ChainDifference> diff_chains(const std::vector<Link>& a, const std::vector<Link>& b) {
  const std::vector<Link> links_a = common(a, b);
  const std::vector<Link> links_b = common(b, a);
  std::size_t equal = 0;
  std::size_t different = links_a.size();
  while (equal < different) {
    const std::size_t middle = equal + (different - equal) / 2;
    if (links_a[middle] == links_b[middle]) {
      equal = middle + 1;
    } else {
      different = middle;
    }
  }
  if (equal == links_a.size()) return std::nullopt;
  ChainDifference difference;
  difference.differs_at = links_a[equal].time;
  if (equal > 0) difference.equal_until = links_a[equal - 1].time;
  return difference;
}

std::optional<ChainDifference> diff_chains(const Table& a, const Table& b) {
  std::optional<ChainDifference> difference = diff_chains(links_of(a), links_of(b));
  if (difference) difference->signals = signals_at(a, b, difference->differs_at);
  return difference;
}

}  // namespace tactus
