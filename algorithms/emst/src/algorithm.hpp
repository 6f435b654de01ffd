// Minimum spanning trees in the form that run/algorithm.hpp needs; its driver is in driver.hpp.
#pragma once
#include <type_traits>

#include "zwalk/emst/detail/fragments.hpp"
#include "zwalk/emst/device_emst_memory.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/run/algorithm.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk::inline v0::detail {

/// A search of its own, without a tree that grows: see LeastEdges (trait.hpp). All pointers are to the host's memory.
template <class T>
struct EdgeSearch {
    Fragments<T> fragments;
    ColumnsView<FragmentPoint<T>> known;  ///< of all points
    pos_t excluded = no_pos;
    T const* reach2 = nullptr;
    TargetNodes targets{};
    // What a device has to bring there: points that are targets, and components.
    std::size_t points = 0, components = 0;
};

/// The task: a tree; or, for points that are some of more, what is needed of them. All pointers are to the host's memory.
template <class T>
struct EmstTask {
    EmstTask(EmstOptions const& o) : options(o) {}  // NOLINT: options alone are a task

    EmstOptions options;
    /// Squared core distances by position, where they are those among more points; null: among these.
    T const* core2 = nullptr;
    /// Where the edges go, by position and in ascending order, instead of a result. Null: a result is made.
    Buffer<Edge<T>>* edges = nullptr;
    EdgeSearch<T> const* search = nullptr;  ///< instead of a tree
};

struct EmstAlgorithm {
    using Options = EmstOptions;
    template <class T, class P>
    using Result = EmstResult<T, P>;
    template <class T, class P>
    using Task = std::type_identity_t<EmstTask<T>>;  // not deduced: options convert to it
    static constexpr char const* name = "a spanning tree";

    template <class T>
    static void check(EmstOptions const& options, CallSets const& sets);
    static EmstOptions among(std::size_t points, EmstOptions const& o);
    static std::uint64_t device_bytes(CallSets const& sets, int columns, std::size_t item_bytes,
                                      EmstOptions const& o) {
        return device_emst_memory(double(sets.points.size), columns, item_bytes, o.min_samples, o.tree);
    }
    template <class P>
    static TreeOptions tree_options(EmstOptions const& o) {
        return o.tree;
    }
    /// A tree of points that a call brings or an index keeps is asked for by options alone, which have no lengths.
    template <class T>
    static void to_unit(EmstTask<T>&, LengthUnit<T> const&) {}
    template <class T, class P>
    static void from_unit(P& place, EmstResult<T, P>& r, LengthUnit<T> const& unit) {
        for (auto* lengths : {&r.lengths, &r.core_distances})
            Preparation<T, P>::multiply(place, lengths->data(), lengths->size(), unit.unit());
    }
    template <int D, class T, class P>
    static EmstResult<T, P> run(P& place, RunPoints<T, P>& points, Task<T, P> const& task);
};

}  // namespace zwalk::inline v0::detail
