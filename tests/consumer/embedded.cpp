// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A flight from texts in memory: no file is opened here.

#include <map>
#include <string>

#include "embedded.h"
#include "tactus/core/error.h"
#include "tactus/core/files.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/schema/spec_files.h"

int fly_from_memory(const std::map<std::string, std::string>& texts, const char* name,
                    std::string& result) {
  try {
    const tactus::MemoryFiles files(texts);
    tactus::Assembly flight = assemble(load_spec(files, find_spec(files, name)));
    tactus::Observers observers;
    observers.hooks.push_back(flight.monitor.get());
    fly(flight.run, observers);
    result =
        (flight.monitor->outcome().passed() ? "passed " : "FAILED ") + to_hex(flight.run.digest());
    return 0;
  } catch (const tactus::Error& error) {
    result = error.what();
    return static_cast<int>(error.code());
  }
}
