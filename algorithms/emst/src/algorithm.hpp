// Minimum spanning trees in the form that run/algorithm.hpp needs: that of a call, and what ranks ask. Rounds have a form for
// threads (cpu_driver.hpp) and one for devices (device_driver.hpp).
#pragma once
#include "zwalk/emst/detail/fragments.hpp"
#include "zwalk/emst/device_emst_memory.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/run/algorithm.hpp"
#include "zwalk/walk/counts.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

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

struct EmstAlgorithm {
    using Options = EmstOptions;
    template <class T, class P>
    using Result = EmstResult<T, P>;
    template <class T, class P>
    using Task = EmstOptions;
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
    /// Options have no lengths.
    template <class T>
    static void to_unit(EmstOptions&, LengthUnit<T> const&) {}
    template <class T, class P>
    static void from_unit(P& place, EmstResult<T, P>& r, LengthUnit<T> const& unit) {
        for (auto* lengths : {&r.lengths, &r.core_distances})
            Preparation<T, P>::multiply(place, lengths->data(), lengths->size(), unit.unit());
    }
    template <int D, class T>
    static EmstResult<T> run(Cpu& cpu, RunPoints<T, Cpu>& points, EmstOptions const& options);
    template <int D, class T, class P>
    requires is_device<P>
    static EmstResult<T, P> run(P& device, RunPoints<T, P>& points, EmstOptions const& options);
};

/// A tree of some points of more, those of a rank: its edges by position, in ascending order.
template <class T>
struct OwnTreeTask {
    int min_samples;
    T const*
        core2;  ///< squared core distances among all points, by position, on the host; with one sample null
};
struct OwnTree {
    template <class T, class P>
    using Task = OwnTreeTask<T>;
    template <class T, class P>
    using Result = Buffer<Edge<T>>;
    template <int D, class T>
    static Buffer<Edge<T>> run(Cpu& cpu, RunPoints<T, Cpu>& points, OwnTreeTask<T> const& task);
    template <int D, class T, class P>
    requires is_device<P>
    static Buffer<Edge<T>> run(P& device, RunPoints<T, P>& points, OwnTreeTask<T> const& task);
};

/// A search for least edges alone, which leaves what it finds where it is asked to.
struct EdgeSearching {
    template <class T, class P>
    using Task = EdgeSearch<T>;
    template <class T, class P>
    using Result = WalkCounts;
    template <int D, class T>
    static WalkCounts run(Cpu& cpu, RunPoints<T, Cpu>& points, EdgeSearch<T> const& task);
    template <int D, class T, class P>
    requires is_device<P>
    static WalkCounts run(P& device, RunPoints<T, P>& points, EdgeSearch<T> const& task);
};

}}}  // namespace zwalk::v0::detail
