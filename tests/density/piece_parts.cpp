// Parts of knn_reduce_in_pieces(): what a group keeps, and which pieces a ball meets.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "density/src/piece_boxes.hpp"
#include "density/src/piece_group.hpp"
#include "density/src/piece_queues.hpp"
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
    boxes.end();
    std::array<double, 2> const x{.95, 0}, between{.3, 4};
    auto const meets = [&](std::size_t piece, std::array<double, 2> const& at, double below) {
        return boxes.first_met(piece, at.data(), below) == piece;
    };
    CHECK(meets(0, x, .0226));
    CHECK_FALSE(meets(0, x, .0224));
    CHECK(meets(1, x, .123));
    CHECK_FALSE(meets(1, x, .122));
    CHECK_FALSE(meets(1, between, 15.9));  // in the box of all, but not of the parts
    CHECK_FALSE(meets(2, x, infinity<double>));
    CHECK(boxes.first_met(0, x.data(), .123, 0) == 1);
    CHECK(boxes.first_met(0, x.data(), .0226, 0) == 3);
    CHECK(boxes.first_met(0, x.data(), .0224, 1) == 3);
}

TEST_CASE(
    "The pieces that a ball meets are those with a point in it, and few others, one after another") {
    using Boxes = detail::PieceBoxes<float>;
    Random random(5);
    for (std::size_t const pieces : {1, 2, 3, 13, 64})
        for (std::vector<float> const& period : {std::vector<float>{}, {1.f, infinity<float>, 1.f}}) {
            CAPTURE(pieces);
            auto rows = make_points<3, float>("clustered", 2000, pieces);
            for (auto& row : rows)
                for (float& x : row) x -= std::floor(x);
            Boxes boxes(pieces, 3, period);
            std::vector<std::size_t> piece_of(rows.size());
            for (std::size_t i = 0; i < rows.size(); ++i) {
                // Along an axis, and some pieces without points.
                std::size_t const all = pieces * Boxes::parts,
                                  part = std::min(std::size_t(rows[i][0] * float(all)), all - 1);
                piece_of[i] = part / Boxes::parts;
                boxes.add(part, rows[i].data());
            }
            boxes.end();
            std::size_t met = 0, needed = 0;
            for (int ask = 0; ask < 100; ++ask) {
                auto const& x = rows[random.below(rows.size())];
                float const below = float(random.below(100)) * float(random.below(100)) * 1e-5f;
                std::size_t const but = random.below(pieces + 1);
                std::vector<bool> holds(pieces, false), meets(pieces, false);
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    float d2 = 0;
                    for (std::size_t j = 0; j < 3; ++j) {
                        float d = std::abs(rows[i][j] - x[j]);
                        if (!period.empty() && period[j] == 1) d = std::min(d, 1 - d);
                        d2 += d * d;
                    }
                    if (d2 < below * (1 - 1e-5f)) holds[piece_of[i]] = true;
                }
                std::size_t last = 0;
                for (std::size_t at = boxes.first_met(0, x.data(), below, but); at < pieces;
                     at = boxes.first_met(at + 1, x.data(), below, but)) {
                    REQUIRE((!meets[at] && at >= last && at != but));
                    meets[at] = true;
                    last = at;
                }
                for (std::size_t piece = 0; piece < pieces; ++piece) {
                    if (holds[piece] && piece != but) CHECK(meets[piece]);
                    met += meets[piece], needed += holds[piece] && piece != but;
                }
            }
            CHECK(met <= 2 * needed + 10);
        }
}

TEST_CASE("Points leave the queue of a piece once, and wait for others") {
    detail::PieceQueues queues(3, 5);
    std::vector<pos_t> who(5);
    for (std::size_t const point : {4, 0, 3}) queues.wait(point, 1);
    queues.wait(2, 2);
    CHECK(queues.leave(0, who.data()) == 0);
    REQUIRE(queues.leave(1, who.data()) == 3);
    CHECK((who[0] == 3 && who[1] == 0 && who[2] == 4));
    queues.wait(0, 2);
    CHECK(queues.leave(1, who.data()) == 0);
    REQUIRE(queues.leave(2, who.data()) == 2);
    CHECK((who[0] == 0 && who[1] == 2));
}
