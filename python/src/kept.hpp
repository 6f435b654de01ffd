// Points that are kept by an index, or by what holds one.
#pragma once
#include <utility>

#include "arrays.hpp"
#include "run.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/run/index_rows.hpp"

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
    auto rows = run(false, [&] { return zwalk::detail::rows_of_index(index); });
    return to_numpy(std::move(rows), {index.size(), std::size_t(index.dim())});
}

}  // namespace zwalk::python
