#include "zwalk/core/validate.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "zwalk/core/error.hpp"
#include "zwalk/core/wrap_first.hpp"
#include "zwalk/exec/cpu.hpp"

using namespace zwalk;

namespace {

template <class F>
std::string message_of(F const& f) {
    try {
        f();
    } catch (InputError const& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE_TEMPLATE("check_points names the first bad row and column", T, float, double) {
    std::size_t const n = 100'000;
    std::vector<T> x(3 * n, T(1));
    auto check = [&] {
        return message_of(
            [&] { Cpu(5).run([&] { check_points(Points<T>(x.data(), n, 3), "queries"); }); });
    };
    CHECK(check().empty());
    x[3 * 90'000 + 1] = -std::numeric_limits<T>::infinity();
    CHECK(check() == "queries: row 90000, column 1 is -inf; coordinates must be finite");
    for (std::size_t row : {80'000U, 17'000U, 17U}) {
        x[3 * row + 2] = std::numeric_limits<T>::quiet_NaN();
        CHECK(check() ==
              "queries: row " + std::to_string(row) + ", column 2 is nan; coordinates must be finite");
    }
    // Of two bad rows on both sides of the middle the second is often found first.
    x.assign(3 * n, T(1));
    x[3 * 49'990] = x[3 * 50'010] = std::numeric_limits<T>::infinity();
    for (int i = 0; i < 500; ++i) REQUIRE(check().starts_with("queries: row 49990, column 0"));
    x.assign(3 * n, std::numeric_limits<T>::max());
    CHECK(check().empty());
}

TEST_CASE("check_points refuses shapes") {
    float const x[1] = {0};
    auto check = [&](std::size_t n, int dim) {
        return message_of([&] { check_points(Points<float>(x, n, dim)); });
    };
    CHECK(check(0, 3).empty());
    CHECK(check(1, 1).empty());
    CHECK(check(1, 0) == "points: 0 columns; from 1 to 64 are possible");
    CHECK(check(1, 65) == "points: 65 columns; from 1 to 64 are possible");
    CHECK(check(max_points + 1, 1).find("at most 2147483392 are possible") != std::string::npos);
}

TEST_CASE_TEMPLATE("check_box", T, float, double) {
    T const lo[2] = {0, -1}, hi[2] = {1, 1}, inf = std::numeric_limits<T>::infinity();
    auto check = [&](T a, T b) {
        T const box[2] = {a, b};
        return message_of([&] { check_box(lo, hi, box, 2); });
    };
    CHECK(check(1, 2).empty());
    CHECK(check(0, inf).empty());
    CHECK(check(1, T(1.5)) ==
          "box: the points span 2 (-1 to 1) on axis 1, more than the box length 1.5; "
          "wrap them into one period first");
    CHECK(says_wrap_first(check(1, T(1.5))));
    CHECK(check(-1, 2).starts_with("box: length -1 on axis 0"));
    CHECK(!says_wrap_first(check(-1, 2)));
    CHECK(check(std::numeric_limits<T>::quiet_NaN(), 2).starts_with("box: length nan on axis 0"));
}
