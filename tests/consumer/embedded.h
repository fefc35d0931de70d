// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <map>
#include <string>

/// Flies a shipped spec that is among the texts, by name. `result`: verdict and digest, or what is
/// wrong. Returns an exit code.
__attribute__((visibility("default"))) int fly_from_memory(
    const std::map<std::string, std::string>& texts, const char* name, std::string& result);
