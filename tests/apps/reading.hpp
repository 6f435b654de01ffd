// What tests of files have in common: rows that were read, and what a refusal says.
#pragma once
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "io/points.hpp"
#include "zwalk/core/buffer.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::tests {

template <class T>
std::vector<T> rows_of(io::PointSet const& set) {
    auto const& b = std::get<Buffer<T>>(set.rows);
    return {b.begin(), b.end()};
}

/// What the error says; empty if there is none.
inline std::string error_of(std::filesystem::path const& path, io::ReadOptions const& options = {}) {
    try {
        io::read_points(path, options);
    } catch (InputError const& e) {
        return e.what();
    }
    return "";
}
inline bool says(std::string const& message, std::string const& part) {
    bool const found = message.find(part) != message.npos;
    if (!found) MESSAGE(message);
    return found;
}

}  // namespace zwalk::tests
