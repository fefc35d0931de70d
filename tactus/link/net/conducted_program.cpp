// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/conducted_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <system_error>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/printable.h"
#include "tactus/link/net/join_conductor.h"
#include "tactus/link/net/leftover_processes.h"
#include "tactus/link/net/program_identity.h"
#include "tactus/link/net/program_progress.h"

namespace tactus {
namespace {

using conductor::Channel;
using conductor::RecordHeader;
using conductor::RecordKind;
using conductor::ThreadState;
using conductor::ThreadView;
using conductor::WaitFor;

constexpr std::int64_t kStart_ns = 1'000'000'000;
constexpr std::size_t kMostOutput = std::size_t{64} << 20U;  // of a turn

[[noreturn]] void refuse(const std::string& what, int code) {
  throw Error(ExitCode::kEnvironment,
              fmt::format("{}: {}", what, std::generic_category().message(code)));
}

/// As large as the channel for ever: a program cannot make it shorter than we think it is.
Descriptor shared_memory() {
  constexpr int kAboveStandard = 3;  // the program's own output may be closed
  const Descriptor first(::memfd_create("tactus-conductor", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  Descriptor memory(first.open() ? ::fcntl(first.get(), F_DUPFD_CLOEXEC, kAboveStandard) : -1);
  if (!memory.open() || ::ftruncate(memory.get(), sizeof(Channel)) != 0 ||
      ::fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    refuse("memory for the conductor", errno);
  }
  return memory;
}

const char* what_for(WaitFor wait) {
  switch (wait) {
    case WaitFor::kNothing: return "nothing";
    case WaitFor::kTurn: return "its turn";
    case WaitFor::kTime: return "time";
    case WaitFor::kMutex: return "a mutex";
    case WaitFor::kCondition: return "a condition";
    case WaitFor::kSemaphore: return "a semaphore";
    case WaitFor::kLock: return "a lock or barrier";
    case WaitFor::kOnce: return "an initialisation by another thread";
    case WaitFor::kThread: return "the end of a thread";
    case WaitFor::kFiles: return "files or sockets";
    case WaitFor::kFile: return "a file or socket";
    case WaitFor::kProcess: return "a child process";
  }
  return "?";
}

std::string describe(const ThreadView& view) {
  const std::string name =
      printable(std::string(view.name, ::strnlen(view.name, sizeof view.name)));
  const double since_s = static_cast<double>(view.since_ns) * 1e-9;
  switch (view.state) {
    case ThreadState::kRunning:
      return fmt::format("  {} {} runs without a call that waits since {:.6f} s of its time\n",
                         view.number, name, since_s);
    case ThreadState::kReady:
      return fmt::format("  {} {} is ready since {:.6f} s\n", view.number, name, since_s);
    case ThreadState::kWaiting:
      return fmt::format("  {} {} waits for {} since {:.6f} s\n", view.number, name,
                         what_for(view.wait), since_s);
    case ThreadState::kNone: break;
  }
  return "";
}

}  // namespace

std::string joining_text(const std::string& program, const std::string& folder) {
  return fmt::format(
      "start {} now, in another terminal, with this before its command line:\n  tactus conduct "
      "--join {} -- ",
      program, folder);
}

ConductedProgram::ConductedProgram(ProcessParameters parameters, std::uint64_t seed)
    : ConductedProgram(parameters.name, seed) {
  command_ = parameters.command.front();
  require_conductible(command_);
  parameters.kept_descriptor = memory_.get();
  parameters.same_addresses = true;
  for (auto& variable : conducted_environment(fmt::format("{}", kKeptDescriptor), folder_.path())) {
    parameters.environment.push_back(std::move(variable));
  }
  child_ = std::make_unique<ChildProcess>(parameters);
}

ConductedProgram::ConductedProgram(const std::string& name, std::uint64_t seed)
    : memory_(shared_memory()), folder_("", name) {
  void* const memory =
      ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (memory == MAP_FAILED) refuse("memory for the conductor", errno);
  channel_.reset(new (memory) Channel{});
  channel_->magic = conductor::kChannelMagic;
  channel_->seed = seed;
  limit_ns_ = told_limit_ns_ = channel_->limit_ns = kStart_ns;
  channel_->asked.store(1);
}

const std::string& ConductedProgram::open_for_joining() {
  const std::string there = fmt::format("/proc/{}/fd/{}", ::getpid(), memory_.get());
  const std::string link = folder_.path() + "/" + kJoinedChannel;
  if (::symlink(there.c_str(), link.c_str()) != 0) refuse(link, errno);
  return folder_.path();
}

pid_t ConductedProgram::pid() const { return child_ ? child_->pid() : channel_->pid.load(); }

bool ConductedProgram::running() {
  if (child_) return child_->running();
  const pid_t pid = channel_->pid.load();
  if (pid == 0) return true;
  if (joined_.pid != pid) {
    joined_ = {pid, Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)))};
  }
  pollfd ended{joined_.watch.get(), POLLIN, 0};
  return joined_.watch.open() && ::poll(&ended, 1, 0) == 0;
}

ConductedProgram::~ConductedProgram() { end(); }

void ConductedProgram::Unmap::operator()(conductor::Channel* channel) const {
  ::munmap(channel, sizeof *channel);
}

void ConductedProgram::send(RecordHeader header, std::span<const std::byte> bytes) {
  header.bytes = static_cast<std::uint32_t>(bytes.size());
  const auto* const begin = reinterpret_cast<const std::byte*>(&header);
  input_.insert(input_.end(), begin, begin + sizeof header);
  input_.insert(input_.end(), bytes.begin(), bytes.end());
  input_.resize(input_.size() + conductor::padded(header.bytes) - header.bytes);
}

void ConductedProgram::set_limit_ns(std::int64_t limit_ns) {
  TACTUS_ASSERT(limit_ns >= limit_ns_, "time goes forward");
  limit_ns_ = limit_ns;
}

std::string ConductedProgram::trace_failure() const {
  const int error = channel_->trace_error;
  return error == 0 ? ""
                    : fmt::format("the trace of the autopilot is not complete: {}",
                                  std::generic_category().message(error));
}

std::int64_t ConductedProgram::now_ns() const { return channel_->now_ns; }

bool ConductedProgram::wants_turn() const {
  return under_way_ || !input_.empty() || limit_ns_ > told_limit_ns_;
}

/// As many whole records as there is room for.
void ConductedProgram::start_turn() {
  output_bytes_ = 0;
  conductor::Buffer& input = channel_->input;
  std::size_t size = 0;
  while (size < input_.size()) {
    RecordHeader header;
    std::memcpy(&header, input_.data() + size, sizeof header);
    const std::size_t next = size + sizeof header + conductor::padded(header.bytes);
    if (next > conductor::kBufferBytes) break;
    size = next;
  }
  TACTUS_ASSERT(size > 0 || input_.empty(), "a record that has room");
  std::memcpy(input.data, input_.data(), size);
  input.bytes = static_cast<std::uint32_t>(size);
  input_.erase(input_.begin(), input_.begin() + static_cast<std::ptrdiff_t>(size));
  channel_->limit_ns = told_limit_ns_ = limit_ns_;
  under_way_ = true;
  ask();
}

void ConductedProgram::ask() {
  channel_->asked.fetch_add(1, std::memory_order_release);
  ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&channel_->asked), FUTEX_WAKE, 1, nullptr,
            nullptr, 0);
}

void ConductedProgram::take_output() {
  const conductor::Buffer& buffer = channel_->output;
  const std::size_t end = std::min<std::size_t>(buffer.bytes, conductor::kBufferBytes);
  for (std::size_t at = 0; at + sizeof(RecordHeader) <= end;) {
    Message message;
    std::memcpy(&message.header, buffer.data + at, sizeof message.header);
    at += sizeof message.header;
    if (message.header.bytes > end - at) break;
    message.bytes.assign(buffer.data + at, buffer.data + at + message.header.bytes);
    at += conductor::padded(message.header.bytes);
    output_bytes_ += message.bytes.size();
    if (output_bytes_ > kMostOutput) continue;  // as a network loses what is too much
    keep(std::move(message));
  }
}

void ConductedProgram::keep(Message message) {
  const RecordHeader& header = message.header;
  switch (header.kind) {
    case RecordKind::kDatagram: {
      const auto port = std::ranges::find(open_ports_, header.peer_port, &OpenPort::port);
      if (port == open_ports_.end() || port->shared) keep_outside(message);
      if (port != open_ports_.end()) output_.push_back(std::move(message));
      break;
    }
    case RecordKind::kConnect:
      if (header.peer_port == accepting_port_) {
        output_.push_back(std::move(message));
      } else if (outside_connections_ == OutsideConnections::kKept) {
        keep_outside(std::move(message));
      } else {
        refuse_connection(header.id);
      }
      break;
    case RecordKind::kStream:
    case RecordKind::kClosed:
      if (std::ranges::count(our_connections_, header.id) > 0) {
        output_.push_back(std::move(message));
      } else {
        keep_outside(std::move(message));
      }
      break;
    case RecordKind::kOutsider: has_outsider_ = true; break;
    default: keep_outside(std::move(message));
  }
}

/// Without an outside it is lost.
void ConductedProgram::keep_outside(Message message) {
  if (outside_connections_) outside_.push_back(std::move(message));
}

void ConductedProgram::refuse_connection(std::uint32_t id) {
  RecordHeader reply{};
  reply.kind = RecordKind::kRefused;
  reply.id = id;
  send(reply, {});
}

void ConductedProgram::open_port(std::uint16_t port, bool shared) {
  open_ports_.push_back({port, shared});
}

void ConductedProgram::keep_outside(OutsideConnections connections) {
  outside_connections_ = connections;
}

std::optional<std::uint32_t> ConductedProgram::accept(std::uint16_t port, DurationUs longest_turn,
                                                      const Interrupted& interrupted) {
  constexpr std::int64_t kStep_ns = 1'000'000;
  const std::int64_t last_ns = limit_ns_ + kLongestBoot_ns;
  accepting_port_ = port;
  while (turn(Deadline::after(longest_turn), interrupted) == TurnEnd::kIdle) {
    const auto connects = [](const Message& message) {
      return message.header.kind == RecordKind::kConnect;
    };
    if (const std::optional<Message> message = take(connects)) {
      RecordHeader reply{};
      reply.kind = RecordKind::kAccepted;
      reply.id = message->header.id;
      send(reply, {});
      our_connections_.push_back(reply.id);
      accepting_port_.reset();
      while (const std::optional<Message> another = take(connects)) {
        refuse_connection(another->header.id);  // of the same turn
      }
      return reply.id;
    }
    if (limit_ns_ >= last_ns) break;
    set_limit_ns(limit_ns_ + kStep_ns);
  }
  return std::nullopt;
}

ProgramFacts ConductedProgram::facts() const {
  const bool carrier = channel_->mode == conductor::ThreadMode::kCarrier;
  return program_facts_of(pid(), carrier ? "conducted, carrier" : "conducted, native");
}

void ConductedProgram::end() {
  constexpr int kTurns = 100;
  constexpr std::int64_t kTurn_ns = 50'000'000;
  if (pid() == 0) return;
  if (running()) ::kill(pid(), SIGTERM);
  const Deadline deadline = Deadline::after(DurationUs(2'000'000));
  for (int i = 0; i < kTurns && turn(deadline, {}) == TurnEnd::kIdle; ++i) {
    output_.clear();
    set_limit_ns(limit_ns_ + kTurn_ns);
  }
  // One of ours leads a group of its own.
  if (running()) ::kill(child_ ? -pid() : pid(), SIGKILL);
  end_processes_with(fmt::format("{}={}", conductor::kFolderVariable, folder_.path()));
}

TurnEnd ConductedProgram::turn(Deadline deadline, const Interrupted& interrupted) {
  constexpr timespec kLook = {0, 20'000'000};  // at the process, the deadline and the user
  if (!under_way_) start_turn();
  std::optional<ProgramProgress> progress;  // once it is late
  const auto overdue = [&] {
    if (!deadline.passed()) return false;
    if (!progress) progress.emplace(pid());
    return pid() == 0 || !progress->may_still_come();
  };
  while (true) {
    const std::uint32_t asked = channel_->asked.load();
    const std::uint32_t answered = channel_->answered.load(std::memory_order_acquire);
    if (answered == asked) {
      take_output();
      under_way_ = channel_->more != 0;
      if (!under_way_) return TurnEnd::kIdle;
      ask();  // its output had no more room: it goes on where it was
      if (interrupted && interrupted()) return TurnEnd::kInterrupted;
      if (deadline.passed()) return TurnEnd::kOverdue;
      continue;
    }
    if (deadline.is_now()) return running() ? TurnEnd::kOverdue : TurnEnd::kEnded;
    if (::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&channel_->answered), FUTEX_WAIT,
                  answered, &kLook, nullptr, 0) == 0) {
      continue;
    }
    if (errno != ETIMEDOUT) continue;
    if (!running()) return TurnEnd::kEnded;
    if (interrupted && interrupted()) return TurnEnd::kInterrupted;
    if (overdue()) return TurnEnd::kOverdue;
  }
}

std::string ConductedProgram::stop_text() {
  if (channel_->state.load() == conductor::ProgramState::kFailed) {
    return fmt::format(
        "\nIt cannot be conducted: {}. It can fly without, and then no flight has the same bits "
        "again: --free (autopilot.outside.free = true)",
        printable(std::string(channel_->text, ::strnlen(channel_->text, conductor::kTextBytes))));
  }
  if (pid() == 0 || !running()) return "";
  if (child_ && is_run_by_interpreter(child_->pid(), command_)) {
    return fmt::format(
        "\n{} is a script that has started the program instead of becoming it, so the program is "
        "not under the conductor: its last line has to be `exec PROGRAM \"$@\"`",
        printable(command_));
  }
  return "\nIts threads:\n" + threads_text();
}

std::string ConductedProgram::threads_text() const {
  if (channel_->state.load() == conductor::ProgramState::kStarting) {
    return "the conductor was never loaded: is the program linked statically?";
  }
  std::string text;
  const std::uint32_t count =
      std::min<std::uint32_t>(channel_->threads.load(), conductor::kThreadViews);
  for (std::uint32_t i = 0; i < count; ++i) text += describe(channel_->thread[i]);
  return text;
}

}  // namespace tactus
