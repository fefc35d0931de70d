// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/conductor/clock.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tactus/conductor/real.h"
#include "tactus/conductor/scheduler.h"

namespace tactus::conductor {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kCalendarStart_ns = 1'700'000'000 * kSecond_ns;

bool is_calendar(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

/// Instants beyond what fits are never reached.
std::int64_t to_ns(const timespec& time) {
  constexpr std::int64_t kMostSeconds = kNever / kSecond_ns - 1;
  if (time.tv_sec > kMostSeconds) return kNever;
  return time.tv_sec * kSecond_ns + time.tv_nsec;
}

timespec to_timespec(std::int64_t time_ns) { return {time_ns / kSecond_ns, time_ns % kSecond_ns}; }

std::int64_t later_ns(std::int64_t duration_ns) {
  return duration_ns > kNever - now_ns() ? kNever : now_ns() + duration_ns;
}

/// 0, or EINTR with what is left.
int sleep_until(std::int64_t deadline_ns, timespec* left) {
  if (wait(WaitFor::kTime, std::uint64_t{0}, deadline_ns) != WaitEnd::kInterrupted) return 0;
  if (left) *left = to_timespec(deadline_ns > now_ns() ? deadline_ns - now_ns() : 0);
  return EINTR;
}

}  // namespace

std::int64_t virtual_ns(clockid_t clock, const timespec& instant) {
  const std::int64_t time_ns = to_ns(instant);
  if (time_ns == kNever) return kNever;
  return is_calendar(clock) ? time_ns - kCalendarStart_ns : time_ns;
}

std::int64_t virtual_ns_of_any_clock(const timespec& instant) {
  const bool calendar = to_ns(instant) > kCalendarStart_ns / 2;
  return virtual_ns(calendar ? CLOCK_REALTIME : CLOCK_MONOTONIC, instant);
}

// ---- reading

TACTUS_INTERPOSE int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!self()) return TACTUS_REAL(clock_gettime)(clock, time);
  *time = to_timespec(read_clock_ns() + (is_calendar(clock) ? kCalendarStart_ns : 0));
  return 0;
}

TACTUS_INTERPOSE int clock_getres(clockid_t clock, timespec* resolution) noexcept {
  if (!self()) return TACTUS_REAL(clock_getres)(clock, resolution);
  if (resolution) *resolution = {0, 1};
  return 0;
}

TACTUS_INTERPOSE int clock_settime(clockid_t clock, const timespec* time) noexcept {
  return self() ? 0 : TACTUS_REAL(clock_settime)(clock, time);
}

TACTUS_INTERPOSE int gettimeofday(timeval* time, void* zone) noexcept {
  if (!self()) return TACTUS_REAL(gettimeofday)(time, zone);
  const timespec full = to_timespec(read_clock_ns() + kCalendarStart_ns);
  *time = {full.tv_sec, full.tv_nsec / 1000};
  return 0;
}

TACTUS_INTERPOSE int settimeofday(const timeval* time, const struct timezone* zone) noexcept {
  return self() ? 0 : TACTUS_REAL(settimeofday)(time, zone);
}

TACTUS_INTERPOSE time_t time(time_t* result) noexcept {
  if (!self()) return TACTUS_REAL(time)(result);
  const time_t now = (read_clock_ns() + kCalendarStart_ns) / kSecond_ns;
  if (result) *result = now;
  return now;
}

TACTUS_INTERPOSE clock_t clock() noexcept {
  return self() ? read_clock_ns() / (kSecond_ns / CLOCKS_PER_SEC) : TACTUS_REAL(clock)();
}

TACTUS_INTERPOSE clock_t times(tms* spent) noexcept {
  if (!self()) return TACTUS_REAL(times)(spent);
  if (spent) std::memset(spent, 0, sizeof *spent);
  constexpr std::int64_t kTick_ns = 10'000'000;
  return read_clock_ns() / kTick_ns;
}

TACTUS_INTERPOSE int getrusage(__rusage_who_t who, rusage* usage) noexcept {
  if (!self()) return TACTUS_REAL(getrusage)(who, usage);
  std::memset(usage, 0, sizeof *usage);
  return 0;
}

/// Its signal comes at an instant of virtual time, as all do: when no thread can go on.
TACTUS_INTERPOSE unsigned alarm(unsigned duration_s) noexcept {
  if (!self()) return TACTUS_REAL(alarm)(duration_s);
  const std::int64_t before_ns = scheduler().alarm_ns;
  scheduler().alarm_ns = duration_s == 0 ? kNever : later_ns(duration_s * kSecond_ns);
  if (before_ns == kNever) return 0;
  return static_cast<unsigned>((before_ns - now_ns() + kSecond_ns - 1) / kSecond_ns);
}

// ---- sleeping

TACTUS_INTERPOSE int nanosleep(const timespec* duration, timespec* left) {
  if (!self()) return TACTUS_REAL(nanosleep)(duration, left);
  const int error = sleep_until(later_ns(to_ns(*duration)), left);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

TACTUS_INTERPOSE int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                     timespec* left) {
  if (!self()) return TACTUS_REAL(clock_nanosleep)(clock, flags, time, left);
  const bool absolute = (flags & TIMER_ABSTIME) != 0;
  return sleep_until(absolute ? virtual_ns(clock, *time) : later_ns(to_ns(*time)),
                     absolute ? nullptr : left);
}

TACTUS_INTERPOSE int usleep(useconds_t duration_us) {
  const timespec duration = to_timespec(std::int64_t{duration_us} * 1000);
  return nanosleep(&duration, nullptr);
}

TACTUS_INTERPOSE unsigned sleep(unsigned duration_s) {
  if (!self()) return TACTUS_REAL(sleep)(duration_s);
  timespec left{};
  const std::int64_t deadline_ns = later_ns(duration_s * kSecond_ns);
  return sleep_until(deadline_ns, &left) == 0 ? 0 : static_cast<unsigned>(left.tv_sec + 1);
}

}  // namespace tactus::conductor
