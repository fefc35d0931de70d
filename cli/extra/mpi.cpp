// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/extra/mpi.h"

#include <cstdlib>
#include <string>

#include "tactus/core/error.h"

namespace tactus::cli {
namespace {

/// How many OpenMPI has started; 1: it has not.
int started_ranks() {
  const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
  return size == nullptr ? 1 : std::atoi(size);
}

}  // namespace
}  // namespace tactus::cli

#if TACTUS_HAS_MPI

#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <thread>
#include <vector>

namespace tactus::cli {
namespace {

constexpr int kResult = 1;   ///< to rank 0: bytes of one, none to begin with
constexpr int kFailure = 2;  ///< to rank 0: this one does not work
constexpr int kSample = 3;   ///< from rank 0: the next number
constexpr std::uint64_t kNoMore = ~std::uint64_t{0};

/// Waiting in MPI itself keeps a core busy.
void pause() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

void wait(MPI_Request& request) {
  for (int done = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE), done == 0;) pause();
}

class Session final : public MpiSession {
 public:
  Session() {
    int got = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &got);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    working_ = rank_ == 0 ? ranks - 1 : 0;
  }
  ~Session() override {
    if (rank_ != 0 && !has_worked_) {
      MPI_Send(nullptr, 0, MPI_BYTE, 0, kFailure, MPI_COMM_WORLD);
    }
    while (working_ > 0) {
      if (!answer([](const std::vector<std::byte>&) {}, [] { return kNoMore; })) pause();
    }
    MPI_Finalize();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] bool writes() const override { return rank_ == 0; }

  [[nodiscard]] sweep::FlyAll hand_out() override {
    return
        [this](sweep::SampleSource& source, const std::function<void(sweep::SampleResult &&)>& take,
               const std::function<void()>& idle) {
          using Clock = std::chrono::steady_clock;
          Clock::time_point next_idle = Clock::now();
          while (working_ > 0) {
            const bool had_one = answer(
                [&take](const std::vector<std::byte>& bytes) {
                  if (!bytes.empty()) take(sweep::sample_result_from(bytes));
                },
                [&source] { return source.take().value_or(kNoMore); });
            if (!had_one) pause();
            if (Clock::now() < next_idle) continue;
            idle();
            next_idle = Clock::now() + std::chrono::milliseconds(100);
          }
          idle();
          if (failed_ == 0 || !source.take()) return;
          throw Error(ExitCode::kPeer,
                      fmt::format("{} processes failed and no other is left; what was committed is "
                                  "kept, go on with --resume",
                                  failed_));
        };
  }

  void work(const Fly& fly) override {
    has_worked_ = true;
    std::vector<std::byte> bytes;
    for (;;) {
      MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, kResult, MPI_COMM_WORLD);
      std::uint64_t index = kNoMore;
      MPI_Request request{};
      MPI_Irecv(&index, 1, MPI_UINT64_T, 0, kSample, MPI_COMM_WORLD, &request);
      wait(request);
      if (index == kNoMore) return;
      const std::optional<sweep::SampleResult> result = fly(index);
      bytes = result ? to_bytes(*result) : std::vector<std::byte>();
    }
  }

 private:
  /// One of those that wait gets its next sample. False: none waits.
  template <class Take, class Next>
  bool answer(const Take& take, const Next& next) {
    int waits = 0;
    MPI_Status status{};
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waits, &status);
    if (waits == 0) return false;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    MPI_Recv(bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (status.MPI_TAG == kFailure) {
      --working_;
      ++failed_;
      return true;
    }
    const std::uint64_t index = next();
    if (index == kNoMore) --working_;
    MPI_Send(&index, 1, MPI_UINT64_T, status.MPI_SOURCE, kSample, MPI_COMM_WORLD);
    take(bytes);
    return true;
  }

  int rank_ = 0;
  bool has_worked_ = false;
  int failed_ = 0;
  int working_ = 0;  ///< of rank 0: others that were not told that there is nothing left
};

}  // namespace

std::unique_ptr<MpiSession> MpiSession::begin() {
  if (started_ranks() < 2) return nullptr;
  return std::make_unique<Session>();
}

}  // namespace tactus::cli

#else

namespace tactus::cli {

std::unique_ptr<MpiSession> MpiSession::begin() {
  if (started_ranks() < 2) return nullptr;
  throw Error(
      ExitCode::kEnvironment,
      "started by mpirun, but built without MPI; install libopenmpi-dev and run ./run again");
}

}  // namespace tactus::cli

#endif
