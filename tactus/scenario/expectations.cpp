// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/expectations.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/scenario/reported_signals.h"
#include "tactus/spec/model/expectation_table.h"

namespace tactus {
namespace {

constexpr TimeUs kEndOfRun{std::numeric_limits<std::uint64_t>::max()};
constexpr int kTrackedEvents = 64;  // bits of Marker::fired_mask

enum Bound : int { kRadius, kLow, kHigh };

std::string place_of(const Expectation& expectation) {
  return fmt::format("{}{}expect \"{}\"", expectation.where, expectation.where.empty() ? "" : ": ",
                     expectation.id);
}

[[noreturn]] void refuse_expectation(const Expectation& expectation, const std::string& what) {
  throw Error(ExitCode::kBadInput, place_of(expectation) + ": " + what);
}

/// "12.4 s", exact.
std::string seconds(std::uint64_t us) {
  std::string text = fmt::format("{}.{:06}", us / 1'000'000, us % 1'000'000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}
std::string seconds(TimeUs time) { return seconds(time.us); }
std::string seconds(DurationUs duration) { return seconds(duration.us); }

/// The double nearest to the decimal text, which to_seconds() is not always.
double nearest_s(DurationUs duration) { return static_cast<double>(duration.us) / 1e6; }

std::string with_unit(double value, const std::string& unit) {
  return fmt::format("{:.4g}{}", value, unit.empty() || unit == "1" ? "" : " " + unit);
}

int event_position(const Expectation& expectation, const std::vector<Event>& events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].id != expectation.event) continue;
    if (i < kTrackedEvents) return static_cast<int>(i);
    refuse_expectation(expectation, fmt::format("event = \"{}\" must be one of the first {} events",
                                                expectation.event, kTrackedEvents));
  }
  refuse_expectation(expectation,
                     fmt::format("event = \"{}\": there is no such event", expectation.event));
}

void check(const Expectation& expectation) {
  const std::string place = place_of(expectation);
  require_finite(place, "limit", expectation.limit);
  require_finite(place, "value", expectation.value);
  require_not_negative(place, "tolerance", expectation.tolerance);
  require_not_negative(place, "radius_m", expectation.radius_m);
  if (expectation.by < expectation.from) {
    refuse_expectation(expectation,
                       fmt::format("the window ends at {} before it begins at {}",
                                   to_text(expectation.by), to_text(expectation.from)));
  }
  if (!(expectation.low_m <= expectation.high_m)) {
    refuse(place, "low_m", expectation.low_m, "must not be above high_m");
  }
  if (expectation.kind == ExpectationKind::kStayInside && expectation.radius_m == 0.0 &&
      expectation.low_m == expectation.high_m) {
    refuse_expectation(expectation, "needs radius_m, or low_m and high_m");
  }
  if (expectation.kind == ExpectationKind::kReachItem && expectation.item < 0) {
    refuse(place, "item", expectation.item, "must be the number of a mission item, from 0");
  }
}

}  // namespace

const char* to_text(FlightEnd end) {
  switch (end) {
    case FlightEnd::kLanded: return "landed";
    case FlightEnd::kOnGround: return "on the ground";
    case FlightEnd::kInTheAir: return "in the air";
    case FlightEnd::kCrashed: return "crashed";
    case FlightEnd::kNeverFlew: return "never took off";
  }
  return "unknown";
}

bool FlightOutcome::passed() const {
  bool passed = !crashed();
  for (const ExpectationResult& result : results) passed = passed && !result.failed();
  return passed;
}

ExpectationMonitor::ExpectationMonitor(ExpectationSetup setup)
    : setup_(std::move(setup)), fired_at_(kTrackedEvents) {
  for (const Expectation& expectation : setup_.expectations) {
    try {
      seen_.push_back(begin(expectation));
    } catch (const Error& error) {
      throw about(error, "expect." + expectation.id);
    }
  }
}

ExpectationMonitor::Seen ExpectationMonitor::begin(const Expectation& expectation) const {
  check(expectation);
  Seen seen;
  seen.last = math::canonical_nan();
  if (row_of(expectation.kind).about == ExpectationSubject::kSignal) {
    seen.leaf = find_leaf(setup_.leaves, expectation.signal, place_of(expectation));
  }
  if (expectation.kind == ExpectationKind::kSurvive && !expectation.event.empty()) {
    seen.event = event_position(expectation, setup_.events);
  }
  return seen;
}

void ExpectationMonitor::fly_outside(Vec3 home_W_m, SignalSet known) {
  setup_.home_W_m = home_W_m;
  setup_.can_crash = false;
  known_ = known;
}

void ExpectationMonitor::see(std::uint64_t boundary, const Bus& bus) {
  const bool seen_from_the_start = boundary == 0 || last_.seen;
  has_flown_ = has_flown_ || (setup_.flies && (is_in_the_air(bus) || !seen_from_the_start));
  mission_ordered_ = mission_ordered_ || is_mission_ordered(bus);
  note_fired(bus);
  const bool is_wreck = crash_.has_value();
  if (setup_.flies && setup_.can_crash && !is_wreck) crash_ = crash_at(bus);
  for (std::size_t i = 0; i < seen_.size() && !is_wreck; ++i) {
    see(setup_.expectations[i], bus, seen_[i]);
  }
  last_ = {true,
           bus.time,
           bus.autopilot,
           bus.land.landed,
           bus.loads.gear_touching_mask,
           bus.truth.height_m};
}

void ExpectationMonitor::note_fired(const Bus& bus) {
  const std::uint64_t fresh = bus.marker.fired_mask & ~fired_mask_;
  if (fresh == 0) return;
  for (unsigned i = 0; i < kTrackedEvents; ++i) {
    if (((fresh >> i) & 1U) != 0) fired_at_[i] = bus.time;
  }
  fired_mask_ = bus.marker.fired_mask;
}

double ExpectationMonitor::distance_m(const Bus& bus) const {
  return math::hypot(bus.truth.position_W_m.x - setup_.home_W_m.x,
                     bus.truth.position_W_m.y - setup_.home_W_m.y);
}

void ExpectationMonitor::see(const Expectation& expectation, const Bus& bus, Seen& seen) const {
  const bool in_window = bus.time >= expectation.from && bus.time <= expectation.by;
  const auto happens = [&](bool now) {
    if (seen.happened || !now || bus.time < expectation.from) return;
    seen.happened = true;
    seen.when = bus.time;
  };
  switch (expectation.kind) {
    case ExpectationKind::kReachItem:
      happens(bus.autopilot.items_reached > expectation.item);
      break;
    case ExpectationKind::kMissionComplete: happens(bus.autopilot.mission_finished); break;
    case ExpectationKind::kLandBy: see_landing(expectation, bus, seen); break;
    case ExpectationKind::kStayInside:
      if (in_window) see_inside(expectation, bus, seen);
      break;
    case ExpectationKind::kSignalMax:
    case ExpectationKind::kSignalMin: {
      const double value = seen.leaf.value(bus);
      if (!in_window || math::is_nan(value)) break;
      const bool is_max = expectation.kind == ExpectationKind::kSignalMax;
      see_bound(bus.time, is_max ? kHigh : kLow, value, expectation.limit, seen);
      break;
    }
    case ExpectationKind::kFinal: seen.last = seen.leaf.value(bus); break;
    case ExpectationKind::kSurvive: break;
  }
}

void ExpectationMonitor::see_inside(const Expectation& expectation, const Bus& bus,
                                    Seen& seen) const {
  if (expectation.radius_m > 0.0) {
    see_bound(bus.time, kRadius, distance_m(bus), expectation.radius_m, seen);
  }
  if (expectation.low_m < expectation.high_m) {
    see_bound(bus.time, kLow, bus.truth.height_m, expectation.low_m, seen);
    see_bound(bus.time, kHigh, bus.truth.height_m, expectation.high_m, seen);
  }
}

void ExpectationMonitor::see_bound(TimeUs now, int bound, double value, double limit, Seen& seen) {
  const double margin = bound == kLow ? value - limit : limit - value;
  Extreme& extreme = seen.extreme[bound];
  if (!extreme.seen || margin < extreme.margin) extreme = {true, margin, value, limit, now};
  if (margin >= 0.0 || seen.violated) return;
  seen.violated = true;
  seen.violated_at = now;
  seen.violated_value = value;
  seen.violated_bound = bound;
}

/// A vehicle that has not flown has not landed, and neither has one that crashed.
void ExpectationMonitor::see_landing(const Expectation& expectation, const Bus& bus,
                                     Seen& seen) const {
  if (seen.happened || bus.time < expectation.from || !has_flown_ || crash_) return;
  const bool is_down = bus.land.landed && !bus.autopilot.armed;
  if (is_down && !seen.is_down) {
    seen.last = distance_m(bus);
    seen.when = bus.time;
    seen.happened = expectation.tolerance == 0.0 || seen.last <= expectation.tolerance;
  }
  seen.is_down = is_down;
}

FlightEnd ExpectationMonitor::end() const {
  if (crash_) return FlightEnd::kCrashed;
  if (!setup_.flies) return FlightEnd::kOnGround;
  if (!has_flown_) return FlightEnd::kNeverFlew;
  if (last_.landed && !last_.autopilot.armed) return FlightEnd::kLanded;
  return last_.gear_touching_mask == 0 ? FlightEnd::kInTheAir : FlightEnd::kOnGround;
}

FlightOutcome ExpectationMonitor::outcome() const {
  FlightOutcome outcome;
  outcome.end = end();
  if (crash_) {
    outcome.crash_time = crash_->time;
    outcome.crash_message =
        crash_->speed_m_s > 0.0
            ? fmt::format("crashed at {}: met the ground at {:.2f} m/s (limit {} m/s)",
                          seconds(crash_->time), crash_->speed_m_s, kCrashSpeed_m_s)
            : fmt::format("crashed at {}: touched the ground tilted by {:.1f} deg (limit 60 deg)",
                          seconds(crash_->time), crash_->tilt_rad * math::kRadToDeg);
  }
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    outcome.results.push_back(judge(setup_.expectations[i], seen_[i]));
  }
  return outcome;
}

ExpectationResult ExpectationMonitor::result_of(const Expectation& expectation) const {
  ExpectationResult result;
  result.id = expectation.id;
  result.where = expectation.where;
  result.kind = expectation.kind;
  result.open = last_.time < expectation.by && !crash_;
  result.at = last_.time;
  return result;
}

/// Neither passed nor failed.
ExpectationResult ExpectationMonitor::not_applicable(const Expectation& expectation,
                                                     std::string why) const {
  ExpectationResult result = result_of(expectation);
  result.applies = false;
  result.evaluated = false;
  result.open = false;
  result.message = "not applicable: " + std::move(why);
  return result;
}

/// Empty: it is judged.
std::string ExpectationMonitor::why_not_judged(const Expectation& expectation) const {
  const ExpectationSubject about = row_of(expectation.kind).about;
  if (about == ExpectationSubject::kSignal) {
    std::string why = why_not_reported(setup_.autopilot, expectation.signal);
    if (!why.empty()) return why;
  }
  if (!known_) return {};
  const auto unless_known = [this](Signal signal) {
    return known_->has(signal) ? std::string()
                               : fmt::format("its simulator does not report {}", to_text(signal));
  };
  switch (about) {
    case ExpectationSubject::kMission: return {};
    case ExpectationSubject::kLanding: return unless_known(Signal::kLand);
    case ExpectationSubject::kPlace: return unless_known(Signal::kTruth);
    case ExpectationSubject::kCrash: return unless_known(Signal::kLoads);
    case ExpectationSubject::kSignal: break;
  }
  for (std::size_t i = 0; i < kSignals; ++i) {
    const auto signal = static_cast<Signal>(i);
    const std::string_view name = to_text(signal);
    const std::string_view leaf = expectation.signal;
    const bool is_of = leaf.starts_with(name) && leaf.size() > name.size() &&
                       (leaf[name.size()] == '.' || leaf[name.size()] == '[');
    if (is_of) return unless_known(signal);
  }
  return {};
}

ExpectationResult ExpectationMonitor::judge(const Expectation& expectation,
                                            const Seen& seen) const {
  std::string why = why_not_judged(expectation);
  if (!why.empty()) return not_applicable(expectation, std::move(why));
  switch (row_of(expectation.kind).verdict) {
    case ExpectationVerdict::kDeadline: return judge_deadline(expectation, seen);
    case ExpectationVerdict::kBounds: return judge_bounds(expectation, seen);
    case ExpectationVerdict::kFinal: return judge_final(expectation, seen);
    case ExpectationVerdict::kSurvival: return judge_survival(expectation, seen);
  }
  return {};
}

/// Why what was waited for did not happen.
std::string ExpectationMonitor::instead(const Expectation& expectation, const Seen& seen) const {
  const AutopilotStatus& status = last_.autopilot;
  if (expectation.kind != ExpectationKind::kLandBy) {
    if (!setup_.has_autopilot) return "no autopilot flies";
    if (status.mission_count == 0) return "no mission is loaded";
    if (!mission_ordered_) return "nothing ordered the mission";
    if (crash_) return "it crashed at " + seconds(crash_->time);
    return fmt::format("{} of {} items were done", status.items_reached, status.mission_count);
  }
  if (!has_flown_) return "it never took off";
  if (crash_) return "it crashed at " + seconds(crash_->time);
  if (!math::is_nan(seen.last)) {
    return fmt::format("it landed {:.3f} m from home at {}, allowed {} m", seen.last,
                       seconds(seen.when), expectation.tolerance);
  }
  return fmt::format("it was {}, height {:.2f} m, {}", to_text(end()), last_.height_m,
                     status.armed ? "armed" : "disarmed");
}

ExpectationResult ExpectationMonitor::judge_deadline(const Expectation& expectation,
                                                     const Seen& seen) const {
  const bool ended_before = last_.time < expectation.by;
  const TimeUs by = expectation.by == kEndOfRun ? last_.time : expectation.by;
  const char* const is_not = seen.happened ? "" : "not ";
  const std::string what = expectation.kind == ExpectationKind::kReachItem
                               ? fmt::format("item {} {}done", expectation.item, is_not)
                           : expectation.kind == ExpectationKind::kMissionComplete
                               ? fmt::format("mission {}complete", is_not)
                               : fmt::format("{}landed and disarmed", is_not);
  ExpectationResult result = result_of(expectation);
  if (!seen.happened) {
    result.message =
        fmt::format("{} {}: {}", what,
                    ended_before ? fmt::format("when the run ended at {}", seconds(last_.time))
                                 : fmt::format("by {}", seconds(by)),
                    instead(expectation, seen));
    return result;
  }
  result.passed = seen.when <= by;
  result.open = false;
  result.value = nearest_s(seen.when - TimeUs());
  result.at = seen.when;
  const DurationUs off = result.passed ? by - seen.when : seen.when - by;
  result.margin = result.passed ? nearest_s(off) : -nearest_s(off);
  result.message = fmt::format("{} at {}", what, seconds(seen.when));
  if (!math::is_nan(seen.last)) result.message += fmt::format(", {:.3f} m from home", seen.last);
  if (!result.passed) result.message += fmt::format(", {} late", seconds(off));
  return result;
}

ExpectationResult ExpectationMonitor::judge_bounds(const Expectation& expectation,
                                                   const Seen& seen) const {
  ExpectationResult result = result_of(expectation);
  const bool is_place = expectation.kind == ExpectationKind::kStayInside;
  const std::string unit = is_place ? "m" : seen.leaf.unit;
  const auto name = [&](int bound) {
    return !is_place ? expectation.signal : bound == kRadius ? "distance from home" : "height";
  };
  std::string extremes;
  const Extreme* nearest = nullptr;
  for (int bound = 0; bound < kBounds; ++bound) {
    const Extreme& extreme = seen.extreme[bound];
    if (!extreme.seen) continue;
    if (nearest == nullptr || extreme.margin < nearest->margin) nearest = &extreme;
    if (seen.violated && bound != seen.violated_bound) continue;
    if (!extremes.empty()) extremes += "; ";
    if (is_place && !seen.violated) extremes += name(bound) + " ";
    extremes += fmt::format("{} {} at {}", bound == kLow ? "min" : "max",
                            with_unit(extreme.value, unit), seconds(extreme.time));
    if (!seen.violated) extremes += ", limit " + with_unit(extreme.limit, unit);
  }
  if (nearest == nullptr) {
    result.evaluated = false;
    result.message =
        fmt::format("nothing to judge between {} and {}; {}", seconds(expectation.from),
                    expectation.by == kEndOfRun ? "the end" : seconds(expectation.by),
                    crash_ ? "it crashed at " + seconds(crash_->time)
                           : "the run ended at " + seconds(last_.time));
    return result;
  }
  result.passed = !seen.violated;
  result.open = result.open && !seen.violated;
  result.margin = nearest->margin;
  result.value = nearest->value;
  result.at = nearest->time;
  result.message = extremes;
  if (!seen.violated) return result;
  const int bound = seen.violated_bound;
  result.message =
      fmt::format("{} {} {} {} at {}; {}", name(bound), with_unit(seen.violated_value, unit),
                  bound == kLow ? "below" : "above", with_unit(seen.extreme[bound].limit, unit),
                  seconds(seen.violated_at), extremes);
  return result;
}

ExpectationResult ExpectationMonitor::judge_final(const Expectation& expectation,
                                                  const Seen& seen) const {
  const double off = math::abs(seen.last - expectation.value);
  ExpectationResult result = result_of(expectation);
  if (crash_) {
    result.evaluated = false;
    result.message = fmt::format("crashed at {}, before the end", seconds(crash_->time));
    return result;
  }
  result.passed = off <= expectation.tolerance;
  result.margin = expectation.tolerance - off;
  result.open = true;  // only the end decides
  result.value = seen.last;
  const std::string& unit = seen.leaf.unit;
  result.message =
      fmt::format("{} was {} at the end, {}; expected {} +- {}", expectation.signal,
                  with_unit(seen.last, unit), seconds(last_.time),
                  with_unit(expectation.value, unit), with_unit(expectation.tolerance, unit));
  return result;
}

ExpectationResult ExpectationMonitor::judge_survival(const Expectation& expectation,
                                                     const Seen& seen) const {
  ExpectationResult result = result_of(expectation);
  const bool fired =
      seen.event < 0 || ((fired_mask_ >> static_cast<unsigned>(seen.event)) & 1U) != 0;
  const TimeUs since = seen.event < 0 ? TimeUs{} : fired_at_[static_cast<std::size_t>(seen.event)];
  if (!fired || (crash_ && since > crash_->time)) {  // events go on acting on a wreck
    result.evaluated = false;
    result.message = crash_ ? fmt::format("crashed at {}, before event \"{}\"",
                                          seconds(crash_->time), expectation.event)
                            : fmt::format("event \"{}\" never acted", expectation.event);
    return result;
  }
  result.passed = !crash_;
  result.open = !crash_;
  const TimeUs until = crash_ ? crash_->time : last_.time;
  const DurationUs lived = until - since;
  result.margin = crash_ ? -nearest_s(last_.time - crash_->time) : nearest_s(lived);
  result.value = nearest_s(lived);
  result.at = until;
  result.message =
      fmt::format("{} {} after {}", crash_ ? "crashed" : "no crash up to", seconds(lived),
                  seen.event < 0 ? "the start" : "event \"" + expectation.event + "\"");
  return result;
}

}  // namespace tactus
