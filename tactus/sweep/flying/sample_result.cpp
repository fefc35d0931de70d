// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/flying/sample_result.h"

#include <fmt/format.h>

#include <iterator>

#include "tactus/core/state_archive.h"

namespace tactus::sweep {
namespace {

constexpr const char* kNames[] = {"passed", "failed", "crashed", "stopped", "refused", "lost"};
static_assert(std::size(kNames) == kOutcomes);

constexpr char kPart[] = "sample";

void add(Digest& digest, const std::vector<std::optional<double>>& values) {
  digest.add(values.size());
  for (const std::optional<double>& value : values) {
    digest.add(value.has_value());
    digest.add(value.value_or(0.0));
  }
}

void add(StateWriter& to, const std::optional<double>& value) {
  to.add(value.has_value());
  to.add(value.value_or(0.0));
}

std::optional<double> get_optional(StateReader& from) {
  const bool given = from.get<bool>();
  const double value = from.get<double>();
  return given ? std::optional(value) : std::nullopt;
}

void add(StateWriter& to, const std::vector<std::optional<double>>& values) {
  to.add(std::uint64_t{values.size()});
  for (const std::optional<double>& value : values) add(to, value);
}

std::vector<std::optional<double>> get_optionals(StateReader& from) {
  std::vector<std::optional<double>> values(from.get<std::uint64_t>());
  for (std::optional<double>& value : values) value = get_optional(from);
  return values;
}

void add(StateWriter& to, Digest128 digest) {
  to.add(digest.high);
  to.add(digest.low);
}

Digest128 get_digest(StateReader& from) {
  Digest128 digest;
  digest.high = from.get<std::uint64_t>();
  digest.low = from.get<std::uint64_t>();
  return digest;
}

}  // namespace

const char* to_text(Outcome outcome) { return kNames[static_cast<std::size_t>(outcome)]; }

Outcome outcome_from(std::string_view text) {
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    if (text == kNames[i]) return static_cast<Outcome>(i);
  }
  throw Error(ExitCode::kBadInput, fmt::format("there is no outcome \"{}\"", text));
}

void add_to(Digest& digest, const SampleResult& result) {
  digest.add(result.index);
  digest.add(result.seed);
  digest.add(result.applied.size());
  for (const AppliedValue& value : result.applied) {
    digest.add(value.number.has_value());
    digest.add(value.number.value_or(0.0));
    digest.add(value.text);
  }
  digest.add(result.outcome);
  digest.add(result.end);
  digest.add(result.digest.high);
  digest.add(result.digest.low);
  add(digest, result.margins);
  add(digest, result.measures);
}

std::vector<std::byte> to_bytes(const SampleResult& result) {
  StateWriter to;
  to.begin(kPart);
  to.add(result.index);
  to.add(result.seed);
  to.add(std::uint64_t{result.applied.size()});
  for (const AppliedValue& value : result.applied) {
    add(to, value.number);
    to.add_text(value.text);
  }
  to.add(result.outcome);
  to.add(result.code);
  to.add_text(result.reason);
  to.add_text(result.failure);
  to.add(result.end);
  add(to, result.digest);
  add(to, result.spec_digest);
  add(to, result.margins);
  add(to, result.measures);
  return {to.bytes().begin(), to.bytes().end()};
}

SampleResult sample_result_from(std::span<const std::byte> bytes) {
  StateReader from(bytes);
  from.begin(kPart);
  SampleResult result;
  result.index = from.get<std::uint64_t>();
  result.seed = from.get<std::uint64_t>();
  result.applied.resize(from.get<std::uint64_t>());
  for (AppliedValue& value : result.applied) {
    value.number = get_optional(from);
    value.text = from.get_text();
  }
  result.outcome = from.get<Outcome>();
  result.code = from.get<ExitCode>();
  result.reason = from.get_text();
  result.failure = from.get_text();
  result.end = from.get_time();
  result.digest = get_digest(from);
  result.spec_digest = get_digest(from);
  result.margins = get_optionals(from);
  result.measures = get_optionals(from);
  return result;
}

}  // namespace tactus::sweep
