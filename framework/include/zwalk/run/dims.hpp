// The compiled dimension of a call.
#pragma once
#include <algorithm>
#include <optional>
#include <utility>

#include "zwalk/exec/place.hpp"

namespace zwalk::inline v0::detail {

/// Dimensions that something was compiled for, ascending.
template <int... D>
struct Dims {
    static constexpr int most = std::max({0, D...});
};

/// Throws InputError: no kernels are there for points of so many columns.
[[noreturn]] void refuse_columns(int columns, int most, bool on_device);

/// f.operator()<d>() for the smallest d of D that holds `columns` columns. Without dimensions nothing is called,
/// so that a build without CUDA links without its kernels.
template <class R, int... D, class F>
R with_dim(Dims<D...>, int columns, F const& f, bool on_device = false) {
    std::optional<R> result;
    [[maybe_unused]] auto const holds = [&]<int d>() {
        if (columns > d) return false;
        result.emplace(f.template operator()<d>());
        return true;
    };
    if (!(holds.template operator()<D>() || ...)) refuse_columns(columns, Dims<D...>::most, on_device);
    return *std::move(result);
}

/// The compiled dimension for points of `columns` columns on a place P. @throws InputError  none holds so many
template <class P, int... D>
int compiled_columns(Dims<D...> dims, int columns) {
    return with_dim<int>(
        dims, columns, []<int d>() { return d; }, is_device<P>);
}

}  // namespace zwalk::inline v0::detail
