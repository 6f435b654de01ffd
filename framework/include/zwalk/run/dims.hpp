// The compiled dimension of a call.
#pragma once
#include <algorithm>

#include "zwalk/exec/place.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Dimensions that something was compiled for, ascending.
template <int... D>
struct Dims {
    static constexpr int most = std::max({0, D...});
};

/// The dimensions that walks over points of type T are compiled for on a place P: `type`. The library's are in
/// compiled_dims.hpp, tests have their own for devices of the host.
template <class T, class P>
struct DimsFor;

/// Throws InputError: no kernels are there for points of so many columns.
[[noreturn]] void refuse_columns(int columns, int most, bool on_device);

/// `f.operator()<d>()` for the smallest d of D that holds `columns` columns. Without dimensions nothing is called,
/// so that a build without CUDA links without its kernels.
/// @param most  the largest dimension, where D isn't all of them
template <class R, class F>
R with_dim(Dims<>, int columns, F const&, bool on_device = false, int most = 0) {
    refuse_columns(columns, most, on_device);
}
template <class R, int first, int... D, class F>
R with_dim(Dims<first, D...>, int columns, F const& f, bool on_device = false,
           int most = Dims<first, D...>::most) {
    if (columns <= first) return f.template operator()<first>();
    return with_dim<R>(Dims<D...>{}, columns, f, on_device, most);
}

/// The compiled dimension for points of `columns` columns on a place P. @throws InputError  none holds so many
template <class P, int... D>
int compiled_columns(Dims<D...> dims, int columns) {
    return with_dim<int>(
        dims, columns, []<int d>() { return d; }, is_device<P>);
}

}}}  // namespace zwalk::v0::detail
