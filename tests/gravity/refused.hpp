// What gravity() refuses.
#pragma once
#include <doctest/doctest.h>

#include <string>

#include "zwalk/core/error.hpp"
#include "zwalk/gravity/gravity.hpp"

namespace test {

/// That these options are refused for these points, in words of which `part` is one.
template <class Rows>
void check_refused(Rows const& rows, zwalk::GravityOptions const& o, char const* part) {
    try {
        (void)zwalk::gravity(rows, o);
        FAIL("not refused");
    } catch (zwalk::InputError const& error) {
        INFO(error.what());
        CHECK(std::string(error.what()).find(part) != std::string::npos);
    }
}

}  // namespace test
