// Seconds, and raw files: what the programs behind bench/compare have in common.
#pragma once
#include <chrono>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>

namespace bench {

template <class T>
void write_raw(std::filesystem::path const& path, std::span<T const> data) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<char const*>(data.data()), std::streamsize(data.size_bytes()));
    if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

inline double now() {
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

}  // namespace bench
