// From points to the driver of the order of expansions that is asked for or chosen, on any place. For host compilers.
#pragma once
#include <fmt/format.h>

#include "accuracy.hpp"
#include "compiled_dims.hpp"
#include "compiled_orders.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/run/call.hpp"

namespace zwalk::inline v0::detail {

/// Whatever ZWALK_CUDA_DIMS are, as kernels are compiled.
using GravityCudaDims = std::conditional_t<(CudaDims::most > 0), Dims<3>, Dims<>>;

/// The least order that a place has kernels for: devices have those only that are chosen by accuracy.
template <class P>
inline constexpr int least_gravity_order = is_device<P> ? least_chosen_order : least_compiled_order;

/// Refuses what devices have no kernels for.
/// @param o  as asked for, before with_accuracy()
inline void check_gravity_on_device(GravityOptions const& o) {
    if (o.expansion_order != 0 && o.expansion_order < least_chosen_order)
        throw InputError(
            fmt::format("on a GPU expansion_order must be {} or {}, or 0 to have it chosen, but is {}",
                        least_chosen_order, max_gravity_order, o.expansion_order));
}

template <int order, class T, int... D, class P, class AnyPoints>
GravityResult<T, P> gravity_of_order(Dims<D...> dims, P& place, AnyPoints points,
                                     GravityOptions const& o) {
    if (o.expansion_order != order) {
        if constexpr (order < max_gravity_order)
            return gravity_of_order<order + 1, T>(dims, place, points, o);
        __builtin_unreachable();
    }
    GravityTask<order, T> const task(o);
    return ask_once<GravityByOrder<order>>(
        dims, place, points, o.box, o.tree, [&](auto const&) -> auto const& { return task; });
}

/// gravity() on a place. The result stays there.
template <class T, int... D, class P, class AnyPoints>
GravityResult<T, P> ask_gravity(Dims<D...> dims, P& place, AnyPoints points,
                                GravityOptions const& options) {
    check_gravity_options<T>(options, points.size, points.dim);
    GravityOptions const o = with_accuracy(options, is_device<P>);
    if constexpr (is_device<P>) {
        check_gravity_on_device(options);
        check_device_memory("gravity", points.size,
                            brought_bytes(points) + device_gravity_memory(points.size, sizeof(T), o),
                            Preparation<T, P>::available(place));
    }
    return gravity_of_order<least_gravity_order<P>, T>(dims, place, points, o);
}

}  // namespace zwalk::inline v0::detail
