// Rows of neighbours, also those that go past the caches.
#include "zwalk/nearest/rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/nearest/detail/collector.hpp"

using namespace zwalk;

namespace {

struct AtRow {
    pos_t index;
};

/// Rows of `found` neighbours each, as rows of all sizes are written.
template <class T>
void check_rows(std::size_t columns, pos_t found, std::size_t shift, bool named) {
    constexpr pos_t rows = 9;
    std::vector<pos_t> const row_of{4, 2, 8, 0, 7, 6, 1, 3, 5};
    std::vector<pos_t> source_of(1000);
    for (pos_t i = 0; i < 1000; ++i) source_of[i] = 5000 - i;
    Buffer<index_t> indices(rows * columns + shift);
    Buffer<T> distances(rows * columns + shift);
    std::fill(indices.begin(), indices.end(), -7);
    std::fill(distances.begin(), distances.end(), T(-7));
    NearestRows<T> to{columns, indices.data() + shift, distances.data() + shift, row_of.data(),
                      named ? source_of.data() : nullptr};
    to.stream_large(std::size_t(1) << 40);
#if defined(__SSE2__)  // no other CPU has a way past the caches here
    auto const is_line = [&](std::size_t item) { return columns * item % 64 == 0 && shift == 0; };
    REQUIRE(to.stream_indices == is_line(sizeof(index_t)));
    REQUIRE(to.stream_distances == is_line(sizeof(T)));
#endif

    auto const selector = make_selector<T>(best_isa(), pos_t(columns));
    std::vector<unsigned char> memory(Collector<T>::bytes(pos_t(columns), selector));
    auto const d2_of = [](pos_t row, pos_t i) { return T(row + 1) * T(i * i); };
    for (pos_t row = 0; row < rows; ++row) {
        Collector<T> best(memory.data(), pos_t(columns), &selector);
        for (pos_t i = 0; i < found; ++i) best.add({d2_of(row, i), 10 * row + i});
        best.finish();
        AtRow const target{row};
        to.prepare(target);
        to(target, best);
    }
    to.end_streams();
    for (pos_t row = 0; row < rows; ++row)
        for (pos_t i = 0; i < columns; ++i) {
            std::size_t const at = row_of[row] * columns + i + shift;
            pos_t const position = 10 * row + i;
            REQUIRE(indices[at] == (i >= found ? -1 : index_t(named ? source_of[position] : position)));
            REQUIRE(distances[at] == (i >= found ? infinity<T> : std::sqrt(d2_of(row, i))));
        }
    for (std::size_t i = 0; i < shift; ++i) REQUIRE((indices[i] == -7 && distances[i] == T(-7)));
}

}  // namespace

TEST_CASE("rows: whole cache lines or not, full or not, wherever they begin") {
    for (std::size_t columns : {1, 7, 8, 16, 24, 32, 48, 64})
        for (std::size_t shift : {0, 1, 2})
            for (bool named : {false, true})
                for (pos_t found : {pos_t(columns), pos_t(columns - 1), pos_t(0)}) {
                    CAPTURE(columns);
                    CAPTURE(shift);
                    CAPTURE(named);
                    CAPTURE(found);
                    check_rows<float>(columns, found, shift, named);
                    check_rows<double>(columns, found, shift, named);
                }
}

TEST_CASE("rows: small results stay in the caches") {
    Buffer<index_t> indices(16);
    Buffer<float> distances(16);
    NearestRows<float> to{16, indices.data(), distances.data()};
    to.stream_large(1000);
    REQUIRE(!to.stream_indices);
    REQUIRE(!to.stream_distances);
}
