// Pieces with numbers: they follow each other through the whole range, none is short, and they don't depend on threads.
#include "zwalk/core/numbered_pieces.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "zwalk/exec/cpu.hpp"

using namespace zwalk;

TEST_CASE("pieces follow each other, and each has at least as many elements as was asked for") {
    for (std::size_t grain : {1, 2, 7, 100})
        for (std::size_t n : {0, 1, 2, 6, 7, 13, 14, 15, 99, 100, 1000, 1001}) {
            CAPTURE(grain);
            CAPTURE(n);
            detail::NumberedPieces const pieces(n, grain);
            for (int threads : {1, 3}) {
                std::vector<std::pair<std::size_t, std::size_t>> ends(pieces.size());
                Cpu(threads).run([&] {
                    pieces.each([&](std::size_t p, std::size_t begin, std::size_t end) {
                        ends[p] = {begin, end};
                    });
                });
                std::size_t next = 0;
                for (auto const& [begin, end] : ends) {
                    REQUIRE(begin == next);
                    REQUIRE((end - begin >= grain || pieces.size() == 1));
                    REQUIRE(end - begin < (n < 2 * grain ? n + 1 : 2 * grain + 1));
                    next = end;
                }
                REQUIRE(next == n);
            }
        }
}

TEST_CASE("more elements than 32 bits count") {
    detail::NumberedPieces const pieces(std::size_t(1) << 50, std::size_t(1) << 20);
    CHECK(pieces.begin(pieces.size() - 1) == (std::size_t(1) << 50) - (std::size_t(1) << 20));
    CHECK(pieces.begin(pieces.size()) == std::size_t(1) << 50);
}
