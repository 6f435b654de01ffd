// Point sets of the hard list: those that the library gives to its users.
#pragma once
#include "zwalk/testing/points.hpp"

namespace test {

using zwalk::testing::kinds;
using zwalk::testing::make_points;
using zwalk::testing::Random;
using zwalk::testing::Rows;

/// Kinds whose squares of distances are in range as they are, for traits that walk over them in their own unit.
inline std::vector<std::string> plain_kinds() {
    auto some = kinds();
    std::erase_if(some, [](auto const& kind) { return kind == "huge" || kind == "subnormal"; });
    return some;
}

}  // namespace test
