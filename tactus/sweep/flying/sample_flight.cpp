// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/flying/sample_flight.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/flight/incidents.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/schema/spec_places.h"
#include "tactus/sweep/flying/measures.h"

namespace tactus::sweep {
namespace {

Outcome outcome_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed: return Outcome::kPassed;
    case Verdict::kFailed: return Outcome::kFailed;
    case Verdict::kCrashed:
    case Verdict::kInterrupted: break;
  }
  return Outcome::kCrashed;
}

Outcome outcome_of(ExitCode code) {
  if (code == ExitCode::kBadInput) return Outcome::kRefused;
  return code == ExitCode::kRunStopped ? Outcome::kStopped : Outcome::kLost;
}

/// Without the place: it depends on where the campaign file lies.
std::string reason_of(const Error& error) {
  const std::string message = error.what();
  const auto* const placed = dynamic_cast<const PlacedError*>(&error);
  return placed == nullptr ? message : message.substr(placed->at().prefix().size());
}

/// As a table can hold it: it knows neither NaN nor the sign of zero.
std::optional<double> storable(std::optional<double> value) {
  if (!value || math::is_nan(*value)) return std::nullopt;
  return *value + 0.0;
}

void fill(const Flight& flight, const MeasureObserver& measures, SampleResult& result) {
  result.outcome = outcome_of(flight.verdict);
  result.code = exit_code(flight.verdict);
  result.reason = flight.sentence;
  result.failure = failure_of(flight);
  result.end = flight.facts.end;
  result.digest = flight.digest;
  for (const ExpectationResult& expected : flight.outcome.results) {
    result.margins.push_back(
        storable(expected.value ? std::optional(expected.margin) : std::nullopt));
  }
  for (const std::optional<double>& value : measures.results()) {
    result.measures.push_back(storable(value));
  }
}

void fill(const Error& error, const Campaign& campaign, SampleFlight& sample) {
  SampleResult& result = sample.result;
  result.outcome = outcome_of(error.code());
  result.code = error.code();
  result.reason = reason_of(error);
  result.failure = without_numbers(result.reason);
  result.margins.assign(campaign.base().spec.expectations.size(), std::nullopt);
  result.measures.assign(campaign.file().measures.size(), std::nullopt);
  sample.error = error.what();
}

SampleFlight not_flown(const SampleInput& input) {
  SampleFlight sample;
  sample.input = input;
  sample.result.index = input.index;
  sample.result.seed = input.seed;
  for (const TomlNode& value : input.values) sample.result.applied.push_back(applied_value(value));
  return sample;
}

/// False: it was interrupted.
bool fly_into(const Campaign& campaign, const SampleOptions& options, RecordOptions record,
              SampleFlight& sample) {
  LoadedSpec loaded = campaign.spec(sample.input, record.file != nullptr);
  if (loaded.spec.external.free) loaded.spec.external.instance += options.worker;
  sample.result.spec_digest = loaded.spec.digest;
  MeasureObserver measures(campaign.file().measures, loaded.spec);
  FlightOptions how;
  how.validate = options.validate;
  how.interrupted = options.interrupted;
  how.hooks.push_back(&measures);
  how.record = std::move(record);
  Flight flight = fly(loaded, std::move(how));
  if (flight.verdict == Verdict::kInterrupted) return false;
  fill(flight, measures, sample.result);
  sample.flight = std::move(flight);
  return true;
}

}  // namespace

std::optional<SampleFlight> fly_sample(const Campaign& campaign, const SampleInput& input,
                                       const SampleOptions& options, RecordOptions record) {
  SampleFlight sample = not_flown(input);
  try {
    if (!fly_into(campaign, options, std::move(record), sample)) return std::nullopt;
  } catch (const Error& error) {
    fill(error, campaign, sample);
  } catch (const std::bad_alloc&) {
    fill(Error(ExitCode::kEnvironment, "out of memory; fewer flights at once need less"), campaign,
         sample);
  } catch (const std::exception& error) {
    fill(Error(ExitCode::kRunStopped,
               std::string("this is a bug, please report it: ") + error.what()),
         campaign, sample);
  }
  return sample;
}

std::optional<SampleResult> fly_sample(const Campaign& campaign, std::uint64_t index,
                                       const SampleOptions& options) {
  const SampleInput input = campaign.input(index);
  for (int tried = 0;; ++tried) {
    std::optional<SampleFlight> sample = fly_sample(campaign, input, options);
    if (!sample) return std::nullopt;
    if (sample->result.outcome != Outcome::kLost) return std::move(sample->result);
    // A program that was ended with this one is not lost.
    if (options.interrupted && options.interrupted()) return std::nullopt;
    if (tried == campaign.file().retries) return std::move(sample->result);
  }
}

SampleResult lost_sample(const Campaign& campaign, const SampleInput& input,
                         const std::string& reason) {
  SampleFlight sample = not_flown(input);
  fill(Error(ExitCode::kPeer, reason), campaign, sample);
  return std::move(sample.result);
}

void require_flyable(const Campaign& campaign) {
  const Spec& spec = campaign.base().spec;
  if (spec.ground_station.enabled) {
    refuse_key("autopilot.ground_station.enabled", "true",
               "many flights are flown at once, and a ground station steers one; fly without it");
  }
  if (is_external_program(spec.autopilot) && spec.external.attach) {
    refuse_key("autopilot.outside.attach", "true",
               "many flights are flown at once, and visitors steer one; fly without it");
  }
  if (is_external_program(spec.autopilot) && spec.external.wait) {
    refuse_key("autopilot.outside.wait", "true",
               "a campaign starts its autopilots by itself, one for every flight");
  }
  assemble(campaign.base(), {.external = external_autopilots()});
  (void)MeasureObserver(campaign.file().measures, spec);
}

std::string failure_of(const Flight& flight) {
  if (flight.verdict == Verdict::kPassed) return "";
  for (const ExpectationResult& result : flight.outcome.results) {
    if (flight.verdict != Verdict::kFailed || !result.failed()) continue;
    return result.id + ": " + without_numbers(result.message + fault_text(flight, result.at));
  }
  const std::string name = flight.spec.name + ": ";
  return without_numbers(flight.sentence.starts_with(name) ? flight.sentence.substr(name.size())
                                                           : flight.sentence);
}

}  // namespace tactus::sweep
