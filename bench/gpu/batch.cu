// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Flies a batch of Irises on the GPU, one per thread: RK4 at 1 ms, quadratic propeller, each with
// its own commands and wind; once in free air and once with the ground and the gear in the state.
// Prints steps per second and the digest of all final states, and compares every STRIDE-th vehicle
// with the CPU, which flies it through the ordinary `advance`.
// usage: gpu_bench_batch [VEHICLES [STEPS [STRIDE]]]
// Exit code 0: same bits; 1: not; 77: no GPU.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/core/random.h"
#include "tactus/plant/iris.h"
#include "tactus/solver/rk4_batch.h"
#include "tactus/vehicle/multirotor_system.h"

namespace tactus {
namespace {

constexpr MultirotorCounts kFreeAir{
    .rotors = 4, .servos = 0, .packs = 1, .buses = 1, .rc_pairs = 1, .gear_points = 0};
constexpr MultirotorCounts kOverGround{
    .rotors = 4, .servos = 0, .packs = 1, .buses = 1, .rc_pairs = 1, .gear_points = 4};
constexpr std::uint64_t kStep_us = 1'000;
constexpr int kThreadsPerBlock = 128;

/// Entries of one vehicle in shared memory, where those of neighbouring threads are neighbours.
struct SharedEntries {
  double* first;
  __device__ double& operator[](int i) const { return first[i * kThreadsPerBlock]; }
};

/// Near hover; no two vehicles are alike.
template <class Shape, class Entries>
TACTUS_HD inline void start_of(const Multirotor& vehicle, std::uint64_t index, Entries x,
                               MultirotorInput& input) {
  constexpr RandomStream random(1, "batch");
  for (int i = 0; i < Shape::kCapacity; ++i) x[i] = vehicle.initial.x[i];
  x[Shape::layout().position + 2] = -100.0;
  for (int i = 0; i < Shape::counts().rotors; ++i) {
    const auto channel = static_cast<std::uint32_t>(i);
    x[Shape::layout().rotor_speed + i] = 490.0 + 10.0 * random.uniform(index, channel);
    input.motor_command[i] = 0.545 + 0.01 * random.uniform(index, 16 + channel);
  }
  input.wind_W_m_s = {random.uniform(index, 32), random.uniform(index, 33), 0.0};
}

/// `states` holds the entries of all vehicles one after the other, so that neighbouring threads
/// write neighbouring words.
template <class Shape>
__global__ void __launch_bounds__(kThreadsPerBlock)
    fly_on_device(const __grid_constant__ Multirotor vehicle, int vehicles, int steps,
                  double* states, int* failures) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= vehicles) return;
  extern __shared__ double shared[];
  const SharedEntries x{shared + threadIdx.x};
  const SharedEntries sum{shared + Shape::kCapacity * kThreadsPerBlock + threadIdx.x};
  MultirotorInput input;
  start_of<Shape>(vehicle, static_cast<std::uint64_t>(index), x, input);
  const MultirotorModes modes;
  const MultirotorSystemOf<Shape> system{{&vehicle}, &vehicle, &modes, &input, false};
  Status status = Status::kOk;
  for (int step = 0; step < steps && status == Status::kOk; ++step) {
    status =
        rk4_batch_step(system, {static_cast<std::uint64_t>(step) * kStep_us, kStep_us}, x, sum);
  }
  if (status != Status::kOk) atomicAdd(failures, 1);
  for (int i = 0; i < Shape::kCapacity; ++i) {
    states[static_cast<long>(i) * vehicles + index] = x[i];
  }
}

/// The same flight the ordinary way.
template <class Shape>
Status fly_on_cpu(const Multirotor& vehicle, int index, int steps, MultirotorState& state) {
  MultirotorInput input;
  start_of<Shape>(vehicle, static_cast<std::uint64_t>(index), state.x, input);
  const MultirotorModes modes;
  MultirotorSystem system = make_system(vehicle, modes, input);
  system.watch = false;
  SolverConfig config = default_config(Method::kRk4);
  config.step_us = kStep_us;
  SolverMemory<kMultirotorCapacity> memory;
  return advance(system, config, memory, TimeUs(0),
                 TimeUs(static_cast<std::uint64_t>(steps) * kStep_us), state.x)
      .status;
}

void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

struct Batch {
  int vehicles = 1 << 20;
  int steps = 1000;
  int stride = 64;
};

/// Final states, entry by entry; prints the speed.
template <class Shape>
std::vector<double> fly_batch(const Multirotor& vehicle, const Batch& batch) {
  std::vector<double> states(static_cast<std::size_t>(Shape::kCapacity) *
                             static_cast<std::size_t>(batch.vehicles));
  double* on_device = nullptr;
  int* failures = nullptr;
  int failed = 0;
  require(cudaMalloc(&on_device, states.size() * sizeof(double)), "cudaMalloc");
  require(cudaMalloc(&failures, sizeof(int)), "cudaMalloc");
  require(cudaMemset(failures, 0, sizeof(int)), "cudaMemset");
  const int blocks = (batch.vehicles + kThreadsPerBlock - 1) / kThreadsPerBlock;
  constexpr int kSharedBytes =
      2 * Shape::kCapacity * kThreadsPerBlock * static_cast<int>(sizeof(double));
  require(cudaFuncSetAttribute(fly_on_device<Shape>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               kSharedBytes),
          "shared memory");
  double best_s = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    fly_on_device<Shape><<<blocks, kThreadsPerBlock, kSharedBytes>>>(
        vehicle, batch.vehicles, batch.steps, on_device, failures);
    require(cudaGetLastError(), "launch");
    require(cudaDeviceSynchronize(), "batch on the device");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    best_s = took.count() < best_s ? took.count() : best_s;
  }
  require(cudaMemcpy(&failed, failures, sizeof failed, cudaMemcpyDeviceToHost), "cudaMemcpy");
  require(
      cudaMemcpy(states.data(), on_device, states.size() * sizeof(double), cudaMemcpyDeviceToHost),
      "cudaMemcpy");
  const double total = static_cast<double>(batch.vehicles) * batch.steps;
  std::printf("%d vehicles x %d steps in %.4f s: %.3f billion RK4 steps/s, %d failed\n",
              batch.vehicles, batch.steps, best_s, 1e-9 * total / best_s, failed);
  return states;
}

/// How many of the compared vehicles differ.
template <class Shape>
long compare(const Multirotor& vehicle, const Batch& batch, const std::vector<double>& states) {
  const int workers = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<long> different(static_cast<std::size_t>(workers));
  std::vector<std::thread> threads;
  const auto begin = std::chrono::steady_clock::now();
  for (int worker = 0; worker < workers; ++worker) {
    threads.emplace_back([&, worker] {
      MultirotorState state;
      for (long index = static_cast<long>(worker) * batch.stride; index < batch.vehicles;
           index += static_cast<long>(workers) * batch.stride) {
        bool same =
            fly_on_cpu<Shape>(vehicle, static_cast<int>(index), batch.steps, state) == Status::kOk;
        for (int i = 0; i < Shape::kCapacity; ++i) {
          const double device = states[static_cast<std::size_t>(i * long{batch.vehicles} + index)];
          same = same && math::to_bits(device) == math::to_bits(state.x[i]);
        }
        different[static_cast<std::size_t>(worker)] += same ? 0 : 1;
      }
    });
  }
  long count = 0;
  for (int worker = 0; worker < workers; ++worker) {
    threads[static_cast<std::size_t>(worker)].join();
    count += different[static_cast<std::size_t>(worker)];
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const long compared = (batch.vehicles + batch.stride - 1L) / batch.stride;
  std::printf("%ld vehicles on %d CPU threads: %.3f million RK4 steps/s; %ld differ from the GPU\n",
              compared, workers, 1e-6 * static_cast<double>(compared) * batch.steps / took.count(),
              count);
  return count;
}

/// True if the GPU has the CPU's bits.
template <MultirotorCounts kCounts>
bool run(const char* name, const Batch& batch) {
  using Shape = FixedShape<kCounts, RotorModels{.upright = true}>;
  WorldParameters world;
  world.ground.present = kCounts.gear_points > 0;
  const Multirotor vehicle = make_multirotor(iris_quadratic_parameters(), make_world(world));
  if (!Shape::fits(vehicle)) {
    std::printf("%s: the shape does not fit the Iris any more\n", name);
    return false;
  }
  std::printf("%s, %d entries of state\n", name, Shape::kCapacity);
  const std::vector<double> states = fly_batch<Shape>(vehicle, batch);
  Digest digest;
  digest.add(std::span<const double>(states));
  std::printf("digest %s\n", to_hex(digest.result()).c_str());
  return compare<Shape>(vehicle, batch, states) == 0;
}

}  // namespace
}  // namespace tactus

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no GPU on this machine\n");
    return 77;
  }
  tactus::Batch batch;
  if (argc > 1) batch.vehicles = std::atoi(argv[1]);
  if (argc > 2) batch.steps = std::atoi(argv[2]);
  if (argc > 3) batch.stride = std::atoi(argv[3]);
  const bool free_air = tactus::run<tactus::kFreeAir>("free air", batch);
  const bool over_ground = tactus::run<tactus::kOverGround>("over ground", batch);
  return free_air && over_ground ? 0 : 1;
}
