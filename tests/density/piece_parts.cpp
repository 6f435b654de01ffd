// Parts of knn_reduce_in_pieces(): what a group keeps, and which pieces a ball meets.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "density/src/piece_boxes.hpp"
#include "density/src/piece_group.hpp"
#include "support/points.hpp"

using namespace test;
using namespace zwalk;

TEST_CASE("A group keeps the k smallest distances of all that its points have met") {
    Random random(4);
    for (std::size_t const k : {1, 2, 7, 30}) {
        detail::PieceGroup<float> group(1, 3, k);
        for (int round = 0; round < 50; ++round) {
            group.size[0] = 0;
            group.below[0] = infinity<float>;
            std::vector<float> all;
            for (std::size_t met = random.below(6); met > 0; --met) {
                std::vector<float> some(random.below(k + 1));
                for (float& d2 : some) d2 = float(random.below(12));  // with ties
                std::sort(some.begin(), some.end());
                group.take(0, Neighbours<float>(some.data(), nullptr, pos_t(some.size())));
                all.insert(all.end(), some.begin(), some.end());
                std::sort(all.begin(), all.end());
                std::size_t const kept = std::min(k, all.size());
                REQUIRE(group.size[0] == kept);
                REQUIRE(std::equal(all.begin(), all.begin() + std::ptrdiff_t(kept), group.kept.data()));
                REQUIRE(group.below[0] == (kept == k ? all[k - 1] : infinity<float>));
            }
        }
    }
}

TEST_CASE("Boxes of a piece leave out balls that hold none of its points, through periodic faces, too") {
    using Boxes = detail::PieceBoxes<double>;
    Boxes boxes(3, 2, {1, infinity<double>});
    std::array<double, 2> const a{.1, 0}, b{.3, 0}, far{.3, 9};
    boxes.add(0, a.data());
    boxes.add(Boxes::parts + 2, b.data());  // of piece 1
    boxes.add(Boxes::parts + 3, far.data());
    std::array<double, 2> const x{.95, 0}, between{.3, 4};
    CHECK(boxes.meet(0, x.data(), .0226));
    CHECK_FALSE(boxes.meet(0, x.data(), .0224));
    CHECK(boxes.meet(1, x.data(), .123));
    CHECK_FALSE(boxes.meet(1, x.data(), .122));
    CHECK_FALSE(boxes.meet(1, between.data(), 15.9));  // in the box of all, but not of the parts
    CHECK_FALSE(boxes.meet(2, x.data(), infinity<double>));
    CHECK(boxes.any_but(0, x.data(), .123));
    CHECK_FALSE(boxes.any_but(1, x.data(), .0224));
}
