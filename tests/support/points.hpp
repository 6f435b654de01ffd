// Point sets of the hard list: those that the library gives to its users.
#pragma once
#include "zwalk/testing/points.hpp"

namespace test {

using zwalk::testing::kinds;
using zwalk::testing::make_points;
using zwalk::testing::Random;
using zwalk::testing::Rows;

}  // namespace test
