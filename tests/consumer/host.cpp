// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// usage: host DATA_FOLDER NAME   reads the shipped specs, then hands them on as texts

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "embedded.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::map<std::string, std::string> texts;
  for (const char* folder : {"aircraft", "missions", "scenarios"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(argv[1]) + "/" + folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      texts[std::string(folder) + "/" + entry.path().filename().string()] =
          std::string(std::istreambuf_iterator<char>(in), {});
    }
  }
  std::string result;
  const int code = fly_from_memory(texts, argv[2], result);
  std::printf("%s\n", result.c_str());
  return code;
}
