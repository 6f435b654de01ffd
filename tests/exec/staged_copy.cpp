// Copies by way of two buffers: every byte once, in any number of chunks, and no buffer filled before it was emptied.
#include "zwalk/exec/detail/staged_copy.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

using namespace zwalk;

namespace {

/// What is filled is there when it is emptied, and not before.
struct Stage {
    std::vector<unsigned char> const& from;
    std::vector<unsigned char>& to;
    struct Half {
        bool full = false;
        std::size_t at = 0, bytes = 0;
    } half[2]{};
    int mistakes = 0, most_full = 0;
    std::size_t end = 0;

    void fill(std::size_t which, std::size_t at, std::size_t n) {
        mistakes += half[which].full || at != end || n == 0;
        half[which] = {true, at, n};
        end = at + n;
        most_full = std::max(most_full, int(half[0].full) + int(half[1].full));
    }
    void empty(std::size_t which, std::size_t at, std::size_t n) {
        mistakes += !half[which].full || half[which].at != at || half[which].bytes != n;
        half[which].full = false;
        std::memcpy(to.data() + at, from.data() + at, n);
    }
};

}  // namespace

TEST_CASE("staged copies: every byte, while the device is at work on the next chunk") {
    for (std::size_t bytes : {0, 1, 9, 10, 11, 19, 20, 21, 30, 99, 100, 101}) {
        CAPTURE(bytes);
        std::vector<unsigned char> from(bytes), to(bytes);
        for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<unsigned char>(i + 1);
        Stage stage{from, to};
        detail::copy_staged(stage, bytes, 10);
        CHECK(stage.mistakes == 0);
        CHECK(stage.end == bytes);
        CHECK(!stage.half[0].full);
        CHECK(!stage.half[1].full);
        CHECK(stage.most_full == (bytes > 10 ? 2 : bytes > 0));
        CHECK(to == from);
    }
}
