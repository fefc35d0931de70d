// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The sections of tests/same_bits on the device: every number must have the bits that the CPU
// computes. One thread per section, all sections at once. Exit code 77 without a GPU.
// Prints the digests in the form of tests/same_bits/expected.txt.

#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/plant/iris.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/sensor/optical_flow.h"
#include "tests/same_bits/air_flight.h"
#include "tests/same_bits/sections.h"

namespace tactus::same_bits {
namespace {

/// Writes the numbers into an array, NaN in its one form.
struct ArraySink {
  double* values;
  long count = 0;

  TACTUS_HD void add(double value) {
    values[count++] = math::is_nan(value) ? math::canonical_nan() : value;
  }
};

constexpr std::uint64_t kFlowTicks = 2000;

/// A camera that is moved and turned at random. The probe has no such section: flights of
/// expected_flights.txt hold its bits on the CPU.
TACTUS_HD inline void flow_section(ArraySink& sink) {
  constexpr RandomStream random(kSeed, "optical flow section");
  OpticalFlowParameters parameters;
  parameters.yaw_deg = 45.0;
  OpticalFlowState state;
  for (std::uint64_t tick = 0; tick < kFlowTicks; ++tick) {
    const OpticalFlowInput input{
        {exp_rotation(0.3 * random.normal3(tick, 20)), 1.0 + random.uniform(tick, 21)},
        0.1 * random.normal3(tick, 22)};
    const OpticalFlowSample sample =
        measure_optical_flow(parameters, random, DurationUs(10'000), input, {}, state);
    ++state.line.taken;
    sink.add(sample.flow_x_rad);
    sink.add(sample.flow_y_rad);
    sink.add(sample.turn_S_rad.x);
    sink.add(sample.turn_S_rad.y);
    sink.add(sample.turn_S_rad.z);
    sink.add(sample.distance_m);
    sink.add(sample.quality);
  }
}

struct Section {
  const char* name;
  long capacity;
};
constexpr long kAirNumbers = static_cast<long>(kFlight_us / kPeriod_us) * 64;
constexpr Section kSections[] = {
    {"math", 1'000'000},        {"random", 200'000},          {"wind", 200'000},
    {"air_euler", kAirNumbers}, {"air_rk4", kAirNumbers},     {"air_rk23", kAirNumbers},
    {"air_rk45", kAirNumbers},  {"air_lie_rk4", kAirNumbers}, {"optical_flow", 20'000}};
constexpr int kSectionCount = static_cast<int>(std::size(kSections));

struct Result {
  double* values = nullptr;
  long count = 0;
  Status status = Status::kOk;
};

TACTUS_HD inline void compute(int section, const Multirotor& vehicle, Result& result) {
  ArraySink sink{result.values};
  switch (section) {
    case 0: math_section(sink); break;
    case 1: random_section(sink); break;
    case 2: wind_section(sink); break;
    case 3: result.status = air_flight<Method::kEuler>(vehicle, sink); break;
    case 4: result.status = air_flight<Method::kRk4>(vehicle, sink); break;
    case 5: result.status = air_flight<Method::kRk23>(vehicle, sink); break;
    case 6: result.status = air_flight<Method::kRk45>(vehicle, sink); break;
    case 7: result.status = air_flight<Method::kLieRk4>(vehicle, sink); break;
    default: flow_section(sink); break;
  }
  result.count = sink.count;
}

/// One block per section: threads of one warp would wait for each other.
__global__ void compute_on_device(const Multirotor* vehicle, Result* results) {
  compute(static_cast<int>(blockIdx.x), *vehicle, results[blockIdx.x]);
}

void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

template <class T>
T* device_copy(const T* data, std::size_t count) {
  T* memory = nullptr;
  require(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
  require(cudaMemcpy(memory, data, count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return memory;
}

std::vector<std::vector<double>> device_values(const Multirotor& vehicle) {
  Result results[kSectionCount];
  for (int i = 0; i < kSectionCount; ++i) {
    const auto bytes = static_cast<std::size_t>(kSections[i].capacity) * sizeof(double);
    require(cudaMalloc(&results[i].values, bytes), "cudaMalloc");
  }
  Result* const on_device = device_copy(results, kSectionCount);
  compute_on_device<<<kSectionCount, 1>>>(device_copy(&vehicle, 1), on_device);
  require(cudaGetLastError(), "launch");
  require(cudaDeviceSynchronize(), "sections on the device");
  require(cudaMemcpy(results, on_device, sizeof results, cudaMemcpyDeviceToHost), "cudaMemcpy");
  std::vector<std::vector<double>> values(kSectionCount);
  for (int i = 0; i < kSectionCount; ++i) {
    values[i].resize(static_cast<std::size_t>(results[i].count));
    require(cudaMemcpy(values[i].data(), results[i].values, values[i].size() * sizeof(double),
                       cudaMemcpyDeviceToHost),
            "cudaMemcpy");
    if (results[i].status != Status::kOk) {
      std::printf("%s on the device: %s\n", kSections[i].name, to_text(results[i].status));
    }
  }
  return values;
}

std::string digest_of(const std::vector<double>& values) {
  Digest digest;
  digest.add(std::span<const double>(values));
  return to_hex(digest.result());
}

/// True if the device has the CPU's bits.
bool compare(int section, const Multirotor& vehicle, const std::vector<double>& from_device) {
  std::vector<double> from_cpu(static_cast<std::size_t>(kSections[section].capacity));
  Result result{from_cpu.data()};
  compute(section, vehicle, result);
  from_cpu.resize(static_cast<std::size_t>(result.count));
  const bool same =
      from_cpu.size() == from_device.size() &&
      std::memcmp(from_cpu.data(), from_device.data(), from_cpu.size() * sizeof(double)) == 0;
  std::printf("%-14s %s  %zu numbers, %s\n", kSections[section].name,
              digest_of(from_device).c_str(), from_device.size(),
              same ? "same bits as the CPU" : "DIFFERENT");
  if (!same) std::printf("%-14s %s  on the CPU\n", "", digest_of(from_cpu).c_str());
  return same;
}

int run() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no GPU on this machine\n");
    return 77;
  }
  const Multirotor vehicle = make_multirotor(iris_quadratic_parameters());
  const std::vector<std::vector<double>> values = device_values(vehicle);
  bool same = true;
  for (int i = 0; i < kSectionCount; ++i) same = compare(i, vehicle, values[i]) && same;
  return same ? 0 : 1;
}

}  // namespace
}  // namespace tactus::same_bits

int main() { return tactus::same_bits::run(); }
