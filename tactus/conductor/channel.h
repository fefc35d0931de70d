// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the conductor inside a program and its caller share: one block of memory.
//
// They take turns. The caller writes `input`, sets `limit_ns` and counts `asked` up; the program
// runs until nothing in it can go on before the limit, writes `output` and sets `answered` to
// `asked`. So nothing depends on how long anything takes. docs/conductor.md is the contract.
//
// This header is all that the two have in common: the library that is loaded into the program uses
// nothing else of Tactus, and the caller nothing else of that library.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tactus::conductor {

inline constexpr std::uint32_t kChannelMagic = 0x54414331;  // "TAC1"
inline constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kThreadViews = 256;
inline constexpr std::size_t kNameBytes = 16;
inline constexpr std::size_t kTextBytes = 1024;
inline constexpr std::int64_t kNever = INT64_MAX;

/// The environment variable with the descriptor number of the memory, or with the path of its file,
/// which is there as long as the caller is.
inline constexpr char kChannelVariable[] = "TACTUS_CONDUCTOR_CHANNEL";
/// The environment variable with a folder for what the program would put in /tmp; not set: /tmp.
inline constexpr char kFolderVariable[] = "TACTUS_CONDUCTOR_FOLDER";
/// A file, to the end of which the trace is written; not set: there is none.
inline constexpr char kTraceVariable[] = "TACTUS_CONDUCTOR_TRACE";

/// How the program's threads are run.
enum class ThreadMode : std::uint32_t {
  kAutomatic,  ///< kCarrier where the processor allows it
  kNative,     ///< each on the kernel thread that it was given
  kCarrier,    ///< all on one kernel thread, which swaps stacks and thread pointers
};

enum class ThreadState : std::uint8_t { kNone, kRunning, kReady, kWaiting };

enum class WaitFor : std::uint8_t {
  kNothing,
  kTurn,       ///< has yielded
  kTime,       ///< sleeps
  kMutex,      ///< `object`: its address
  kCondition,  ///< likewise
  kSemaphore,  ///< likewise
  kLock,       ///< reader-writer lock or barrier, likewise
  kOnce,       ///< an initialisation that another thread is doing
  kThread,     ///< the end of another thread
  kFiles,      ///< one of the descriptors of poll() or select()
  kFile,       ///< `object`: the descriptor
  kProcess,    ///< a child process
};

/// What anyone may see of a thread at any moment.
struct ThreadView {
  char name[kNameBytes];
  std::uint32_t number;
  ThreadState state;
  WaitFor wait;
  std::uint64_t object;
  std::int64_t since_ns;     ///< of this state, virtual time
  std::int64_t deadline_ns;  ///< kNever: none
};

enum class RecordKind : std::uint32_t {
  // Both ways.
  kDatagram,  ///< UDP; `own_port` of the program, `peer_port` and `peer_address` of the other
  kStream,    ///< TCP: bytes of connection `id`
  kClosed,    ///< TCP: `id` was closed by the sender of this record
  // To the program.
  kAccepted,  ///< its connection `id` is established
  kRefused,   ///< nothing listens there
  kIncoming,  ///< somewhere a new connection `id` is made to `own_port`
  // From the program.
  kConnect,   ///< TCP: wants a connection `id` to `peer_port`
  kListen,    ///< TCP: listens at `own_port`
  kBound,     ///< UDP: `own_port` is bound
  kOutsider,  ///< a process that is no child of the program talks to it: `id` is its number
};

struct RecordHeader {
  RecordKind kind;
  std::uint32_t bytes;  ///< that follow, padded to a multiple of 8
  std::uint32_t id;
  std::uint32_t peer_address;  ///< IPv4, first number in the highest byte
  std::uint16_t own_port;
  std::uint16_t peer_port;
  std::uint32_t unused;
};

struct Buffer {
  std::uint32_t bytes;
  std::byte data[kBufferBytes];
};

enum class ProgramState : std::uint32_t {
  kStarting,  ///< the conductor is not there yet
  kConducted,
  kFailed,   ///< `text` says why it cannot go on
  kLeaving,  ///< exit() has been called
};

struct Channel {
  std::uint32_t magic;
  ThreadMode mode;                ///< wanted; from the first turn on: what it is
  std::uint64_t seed;             ///< of the program's random numbers
  std::atomic<std::int32_t> pid;  ///< of the program; 0: it has not begun

  alignas(64) std::atomic<std::uint32_t> asked;  ///< a futex
  std::int64_t limit_ns;                         ///< virtual time goes up to here
  std::uint64_t instant_us;                      ///< of the flight, for the trace

  alignas(64) std::atomic<std::uint32_t> answered;  ///< a futex
  std::uint32_t more;                               ///< `output` was full; ask again
  std::int64_t now_ns;                              ///< the program's virtual time
  std::uint64_t switches;                           ///< of threads, so far
  std::uint64_t decisions;                          ///< their digest; equal runs have equal ones
  std::int32_t trace_error;                         ///< errno with which the trace ended; 0: none

  alignas(64) std::atomic<ProgramState> state;
  std::atomic<std::uint32_t> threads;  ///< entries of `thread` that were ever used
  char text[kTextBytes];
  ThreadView thread[kThreadViews];

  Buffer input;
  Buffer output;
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

constexpr std::uint32_t padded(std::uint32_t bytes) { return (bytes + 7U) & ~7U; }

}  // namespace tactus::conductor
