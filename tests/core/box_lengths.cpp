// The lengths of a box, from whatever holds numbers.
#include "zwalk/core/box_lengths.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>

using zwalk::BoxLengths;

TEST_CASE("lengths of a box: from numbers, lists, arrays, vectors and spans") {
    struct Options {
        BoxLengths box{};
    };
    auto const of = [](Options const& options) -> std::vector<double> { return options.box; };
    using Lengths = std::vector<double>;
    int const whole = 2;
    float const single = .5f;
    std::array<float, 3> const array{1, 0, .5f};
    double const plain[] = {1, 0, .5};
    std::vector<float> const vector(array.begin(), array.end());

    CHECK(of({}).empty());
    CHECK(of({.box = {}}).empty());
    CHECK(of({.box = whole}) == Lengths{2});
    CHECK(of({.box = {whole}}) == Lengths{2});
    CHECK(of({.box = single}) == Lengths{.5});
    CHECK(of({.box = {whole, whole}}) == Lengths{2, 2});
    CHECK(of({.box = {1, 0, .5}}) == Lengths{1, 0, .5});
    CHECK(of({.box = array}) == Lengths{1, 0, .5});
    CHECK(of({.box = {array}}) == Lengths{1, 0, .5});
    CHECK(of({.box = plain}) == Lengths{1, 0, .5});
    CHECK(of({.box = vector}) == Lengths{1, 0, .5});
    CHECK(of({.box = std::span(vector).first(2)}) == Lengths{1, 0});

    Options changed{.box = vector};
    changed.box = {1, 1};
    Options const copied = changed;
    CHECK(of(copied) == Lengths{1, 1});
    changed.box = array;
    CHECK(of(changed) == Lengths{1, 0, .5});
}
