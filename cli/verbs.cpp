// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/verbs.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <utility>

namespace tactus::cli {

Verb* Verb::add_subcommand(const std::string& name, const std::string& help) {
  verbs_.push_back(std::make_unique<Verb>(*app_->add_subcommand(name, help)));
  return verbs_.back().get();
}

void Verb::require_subcommand(int count) { app_->require_subcommand(count); }

template <class T>
CLI::Option* Verb::add_option(const std::string& name, T& value, const std::string& help) {
  return app_->add_option(name, value, help);
}

CLI::Option* Verb::add_flag(const std::string& name, bool& value, const std::string& help) {
  return app_->add_flag(name, value, help);
}

void Verb::callback(std::function<void()> action) { app_->callback(std::move(action)); }

template CLI::Option* Verb::add_option(const std::string&, std::string&, const std::string&);
template CLI::Option* Verb::add_option(const std::string&, std::vector<std::string>&,
                                       const std::string&);
template CLI::Option* Verb::add_option(const std::string&, int&, const std::string&);
template CLI::Option* Verb::add_option(const std::string&, std::uint64_t&, const std::string&);

}  // namespace tactus::cli
