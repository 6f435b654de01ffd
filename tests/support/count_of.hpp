// One of the counts of a result.
#pragma once
#include <doctest/doctest.h>

#include <string>

#include "zwalk/core/outcome.hpp"

namespace test {

inline std::uint64_t count_of(zwalk::Stats const& stats, std::string const& name) {
    for (auto const& [key, value] : stats.counts)
        if (key == name) return value;
    FAIL("no count " << name);
    return 0;
}

}  // namespace test
