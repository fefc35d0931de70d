// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

// Flights by the library: of one spec, or of one per seed. Prints the JSON of `tactus run`.
//   example_flights SPEC                 one flight
//   example_flights SPEC FIRST COUNT     so many seeds, from FIRST on

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tactus/files/disk_files.h"
#include "tactus/flight/report/flight_json.h"
#include "tactus/sweep/seeds/seeds_report.h"

namespace {

std::string fly_one(const tactus::LoadedSpec& spec) {
  const tactus::Flight flight = tactus::fly(spec);
  std::fprintf(stderr, "%s\n", flight.sentence.c_str());
  return tactus::flight_json(flight);
}

std::string fly_many(const std::string& name, const tactus::LoadedSpec& spec,
                     tactus::SeedRange seeds) {
  const tactus::SeedsResult result = tactus::fly_seeds(spec, seeds);
  const auto command = [&name](std::uint64_t seed) {
    return "tactus run " + name + " --seed " + std::to_string(seed);
  };
  return tactus::seeds_json(result, {name, command});
}

std::uint64_t number(const char* text) { return std::strtoull(text, nullptr, 10); }

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string name = argc > 1 ? argv[1] : "default";
    const tactus::LoadedSpec spec = tactus::load_spec(tactus::find_spec(name));
    const bool many = argc == 4 && number(argv[3]) > 0;
    std::string json;
    if (many) {
      const std::uint64_t first = number(argv[2]);
      json = fly_many(name, spec, {first, first + number(argv[3]) - 1});
    } else {
      json = fly_one(spec);
    }
    std::printf("%s\n", json.c_str());
  } catch (const tactus::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
