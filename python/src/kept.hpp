// Points that are kept by an index, or by what holds one.
#pragma once
#include <utility>

#include "arrays.hpp"
#include "run.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk::python {

/// An index whose own threads have never begun. (Calls take others, like it.) Ones that have would keep oneTBB from ending
/// them all before a fork, and children would work alone.
template <class T>
Index<T> at_rest(Index<T>&& index) {
    index.place() = index.place().apart();
    return std::move(index);
}

/// The points themselves, in the order of the input.
template <class T>
nb::object data_of(Index<T> const& index) {
    auto const& tree = index.points().tree;
    std::size_t const n = index.size(), d = std::size_t(index.dim());
    Buffer<T> rows(n * d);
    run(false, [&] {
        index.place().apart().for_each(n, [&](std::size_t z) {
            for (std::size_t j = 0; j < d; ++j)
                rows[tree.input[z] * d + j] = index.points().unit.out(tree.x[j * tree.stride + z]);
        });
        return 0;
    });
    return to_numpy(std::move(rows), {n, d});
}

}  // namespace zwalk::python
