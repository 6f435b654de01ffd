// From a public function to an algorithm's driver (algorithm.hpp), once for every place: checks, the box, memory, the
// tree, the compiled dimension. For host compilers.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/columns.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/run/algorithm.hpp"
#include "zwalk/run/dims.hpp"
#include "zwalk/run/driver.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Refuses work that a device has no memory for.
/// @param what  begins the sentence: "a tree of 100 points"
/// @throws Error  unless needed <= available
void check_device_memory(std::string_view what, std::uint64_t needed, std::uint64_t available);
/// "`name` of `points` points"
std::string of_points(std::string_view name, std::size_t points);
/// Refuses an algorithm that a device has no memory for, by these words.
void check_device_memory(std::string_view name, std::size_t points, std::uint64_t needed,
                         std::uint64_t available);

/// Throws InputError if the options of a call for an index have a box.
void check_for_index(std::vector<double> const& box);

/// Bytes of the device that points get there by Preparation::bring().
template <class T>
std::uint64_t brought_bytes(Points<T> points) {
    return std::uint64_t(points.size) * std::uint64_t(std::max(0, points.dim)) * sizeof(T);
}
template <class T>
std::uint64_t brought_bytes(DevicePoints<T>) {
    return 0;
}

/// How many points there are, of how many columns.
template <class Source>
CallSets::Set set_of(Source const& source) {
    if constexpr (requires { source.size(); }) return {source.size(), source.dim()};
    else return {source.size, source.dim};
}

/// Refuses points whose tree the device has no memory for, before they get there.
template <class T, class P, class AnyPoints>
void check_tree_memory(P& device, AnyPoints points, int columns, TreeOptions const& options) {
    auto const bytes = device_tree_bytes(columns, sizeof(T), options);
    auto const tree = whole_bytes(device_tree_padding +
                                  double(points.size) * std::max({bytes.sort, bytes.build, bytes.tree}));
    check_device_memory("a tree", points.size, tree + brought_bytes(points),
                        Preparation<T, P>::available(device));
}

/// f() on the threads of a place; on a device, here.
template <class P, class F>
auto inside(P& place, F const& f) {
    if constexpr (is_device<P>) return f();
    else return place.run(f);
}

/// run(task) with the lengths of the task, and those of the result, in the unit that points are in.
template <class A, class T, class P, class Task, class Run>
auto in_unit(P& place, LengthUnit<T> const& unit, Task const& task, Run const& run) {
    if (unit.is_plain()) return run(task);
    Task scaled = task;
    A::to_unit(scaled, unit);
    auto result = run(std::as_const(scaled));
    if constexpr (requires { A::from_unit(place, result, unit); }) A::from_unit(place, result, unit);
    return result;
}

/// Calls the driver that was compiled for these points, or for all.
template <class A, int... D, class T, class P>
requires DrivenAnywhere<A>
auto ask(Dims<D...>, P& place, RunPoints<T, P>& points, typename A::Options const& options,
         OthersOn<A, T, P>* others) {
    return Driver<A, T, P>::run(place, points, others, options);
}
template <class A, int... D, class T, class P>
auto ask(Dims<D...> dims, P& place, RunPoints<T, P>& points, typename A::template Task<T, P> const& task,
         Brought<T, P> const* = nullptr) {
    using Result = typename A::template Result<T, P>;
    return in_unit<A>(place, LengthUnit<T>(points->unit), task, [&](auto const& asked) {
        return with_dim<Result>(
            dims, points->dim, [&]<int d>() { return Instance<A, d, T, P>::run(place, points, asked); });
    });
}

/// The unit for points with coordinates of up to `largest`: the algorithm's choice, or the usual one.
template <class A, class T, class Task>
LengthUnit<T> unit_of(T largest, Task const& task) {
    if constexpr (requires { A::unit_for(largest, task); }) return A::unit_for(largest, task);
    else return zwalk::unit_for(largest);
}

/// Refuses options that a place has no kernels for, if A has check_on<P>(options).
template <class A, class P, class Options>
void check_on([[maybe_unused]] Options const& o) {
    if constexpr (requires { A::template check_on<P>(o); }) A::template check_on<P>(o);
}

/// Runs A on points that are brought to the place for this call; the phases of bringing them come first in the result's. On CPU threads A
/// may have
///
///     static std::optional<Result<T, Cpu>> without_tree<T>(Cpu&, Together<T, Cpu> const&, LengthUnit<T> const&, Task const&)
///
/// which is the result where it needs no tree: it refuses what prepare() would. What a build isn't compiled for is refused before.
/// @param task_of  task_of(all) is the task. It may bring more points, which it adds to `all`
template <class A, int... D, class P, class AnyPoints, class TaskOf>
auto ask_once(Dims<D...> dims, P& place, AnyPoints points, std::vector<double> const& box,
              TreeOptions const& tree, TaskOf const& task_of) {
    using T = std::remove_cvref_t<decltype(*points.data)>;
    return inside(place, [&] {
        auto brought = Preparation<T, P>::bring(place, points, "points", !box.empty());
        Together<T, P> all(brought);
        auto const& task = task_of(all);
        all.check_distances();
        auto const unit = unit_of<A>(all.largest, task);
        if (!unit.is_plain()) {
            Preparation<T, P>::rescale(place, brought, unit);
            if (all.others) Preparation<T, P>::rescale(place, *all.others, unit);
        }
        int const columns = compiled_columns<P>(dims, points.dim);
        if constexpr (requires { A::without_tree(place, all, unit, task); })
            if (auto found = A::without_tree(place, all, unit, task)) return std::move(*found);
        Stats built;
        RunPoints<T, P> prepared(
            prepare(place, std::move(brought), box, all.extent, unit, columns, tree, built));
        auto result = ask<A>(dims, place, prepared, task, static_cast<OthersOn<A, T, P>*>(all.others));
        auto& seconds = result.stats.seconds;
        seconds.insert(seconds.begin(), built.seconds.begin(), built.seconds.end());
        return result;
    });
}

/// f(device) for a GPU that is opened for it. Without dimensions, as in builds without CUDA, nothing is compiled, and
/// none can be opened.
/// @throws InputError  there is no such device
template <class R, int... D, class F>
R on_cuda(Dims<D...>, Cuda const& cuda, F const& f) {
    auto const device = open_cuda(cuda);
    if constexpr (sizeof...(D) > 0) return f(*device);
    else __builtin_unreachable();
}
/// f(place) for a call with an index. On threads of its own: callers that use one index at once needn't wait for
/// each other.
template <class R, int... D, class T, class P, class F>
R on_index(Dims<D...>, Index<T, P> const& index, F const& f) {
    if constexpr (sizeof...(D) == 0) {
        __builtin_unreachable();  // there can't be such an index
    } else if constexpr (is_device<P>) {
        return f(index.place());
    } else {
        Cpu own = index.place().apart();
        return own.run([&] { return f(own); });
    }
}

/// The shape of a call's points, and of others, of which null is none.
template <class Source, class Others>
CallSets sets_of(Source const& points, [[maybe_unused]] Others others) {
    CallSets sets{set_of(points)};
    if constexpr (!std::is_null_pointer_v<Others>)
        if (others) sets.others = set_of(*others);
    return sets;
}
/// Bytes of the device that others get there.
template <class Others>
std::uint64_t brought_bytes_of([[maybe_unused]] Others others) {
    if constexpr (std::is_null_pointer_v<Others>) return 0;
    else return others ? brought_bytes(*others) : 0;
}

/// What A needs on a device.
template <class A>
CallNeed need_of(CallShape const& shape, CallSets const& sets, typename A::Options const& o) {
    if constexpr (requires { A::device_need(shape, o); }) {
        return A::device_need(shape, o);
    } else {
        auto all = A::device_bytes(sets, shape.columns, shape.item_bytes, o);
        if (shape.kept) {  // then it is what it needs beside the tree
            auto const tree = device_tree_bytes(shape.columns, shape.item_bytes, shape.tree).tree;
            all -= std::min(all, std::uint64_t(double(shape.points) * tree));
        }
        return {of_points(A::name, sets.size()), all};
    }
}
/// Refuses a call that a device has no memory for, before anything gets there.
/// @param points, others  bytes of what has to get there
template <class A, class T, class P>
void check_call_memory(P& device, CallShape shape, CallSets const& sets, std::uint64_t points,
                       std::uint64_t others, typename A::Options const& o) {
    shape.points = sets.points.size;
    if (sets.others) shape.others = sets.others->size;
    shape.item_bytes = sizeof(T);
    shape.memory_budget = Preparation<T, P>::memory_budget(device);
    CallNeed const need = need_of<A>(shape, sets, o);
    check_device_memory(need.what, std::max(points + need.build, need.most) + others,
                        Preparation<T, P>::available(device));
}

/// Other points that a call brings along, where it works, in the unit of the input.
template <class A, class T, class P, class Others>
std::remove_const_t<OthersOn<A, T, P>> bring_others(P& place, Others const& others, bool with_extent,
                                                    [[maybe_unused]] bool here) {
    std::remove_const_t<OthersOn<A, T, P>> there{
        Preparation<T, P>::bring(place, others, A::others_name, with_extent)};
    if constexpr (Queried<A>) there.here = here;
    return there;
}

template <class T, class P>
void sort_if_queries(P&, Brought<T, P>&) {}
template <class T>
void sort_if_queries(Cpu& cpu, Queries<T, Cpu>& queries) {
    if (!queries.here) sort_queries(cpu, queries);
}

/// Runs A on points on the host or, where the place is one, on a device. The result stays on the place.
/// @param others  to meet them: a pointer, null if there are none
template <class A, int... D, class P, class AnyPoints, class Others>
auto call(Dims<D...> dims, P& place, AnyPoints points, [[maybe_unused]] Others others,
          typename A::Options const& o) {
    using T = std::remove_cvref_t<decltype(*points.data)>;
    auto const sets = sets_of(points, others);
    A::template check<T>(o, sets);
    check_on<A, P>(o);
    auto const tree = A::template tree_options<P>(o);
    if constexpr (is_device<P>)
        check_call_memory<A, T>(place, {.columns = compiled_columns<P>(dims, points.dim), .tree = tree},
                                sets, brought_bytes(points), brought_bytes_of(others), o);
    [[maybe_unused]] std::remove_const_t<OthersOn<A, T, P>> there;
    return ask_once<A>(
        dims, place, points, o.box, tree, [&]([[maybe_unused]] Together<T, P> & all) -> auto const& {
            if constexpr (!std::is_null_pointer_v<Others>)
                if (others) {
                    there = bring_others<A, T>(place, *others, !o.box.empty(), false);
                    (void)checked_period(o.box, there.extent, A::others_name);
                    all.add(there);
                    sort_if_queries(place, there);
                }
            return o;
        });
}

/// Runs A on points that an index keeps, on the place that it is given.
template <class A, int... D, class T, class P, class Others>
auto call_kept(Dims<D...> dims, P& place, PreparedPoints<T, P> const& kept,
               [[maybe_unused]] Others others, typename A::Options const& o,
               [[maybe_unused]] bool here = false) {
    RunPoints<T, P> points(kept);
    if constexpr (is_device<P>) {
        CallSets sets{{kept.tree.size(), kept.dim}};
        if constexpr (!std::is_null_pointer_v<Others>)
            if (others) sets.others = set_of(*others);
        check_call_memory<A, T>(
            place, {.kept = true, .columns = compiled_columns<P>(dims, kept.dim), .tree = kept.options},
            sets, 0, brought_bytes_of(others), o);
    }
    std::remove_const_t<OthersOn<A, T, P>> there;
    OthersOn<A, T, P>* met = nullptr;
    if constexpr (!std::is_null_pointer_v<Others>)
        if (others) {
            there = bring_others<A, T>(place, *others, !kept.period.empty(), here);
            join(place, kept, there, A::others_name);
            sort_if_queries(place, there);
            met = &there;
        }
    return ask<A>(dims, place, points, o, met);
}
/// Runs A on the points of an index.
template <class A, int... D, class T, class P, class Others>
typename A::template Result<T, P> call(Dims<D...> dims, Index<T, P> const& index, Others others,
                                       typename A::Options const& o) {
    auto const sets = sets_of(index, others);
    A::template check<T>(o, sets);
    check_for_index(o.box);
    auto const find = [&](auto& place, bool here) {
        return call_kept<A>(dims, place, index.points(), others, o, here);
    };
    if constexpr (!is_device<P> && Queried<A>)
        if (A::answers_here(sets, compiled_columns<P>(dims, index.dim()), o))
            return find(index.place(), true);
    return on_index<typename A::template Result<T, P>>(dims, index,
                                                       [&](auto& place) { return find(place, false); });
}

/// An array of a device on the host: a vector or Buffer of V, which gets its size. Waits.
template <class P, class Array, class V>
void download(P& device, Array& to, DeviceBuffer<V> const& from) {
    to = Array(from.size());
    if constexpr (std::is_same_v<P, CudaDevice>)
        cuda_download(device, to.data(), from.data(), from.size() * sizeof(V));
    else device.download(to.data(), from.data(), from.size());
}
/// A value that is of the same type on the host moves there.
template <class P, class Same>
void download(P&, Same& to, Same&& from) {
    to = std::move(from);
}
/// A result on the host, an aggregate with a member `stats`: arrays are downloaded, which is its last phase, the rest is
/// moved.
template <class Here, class P, class There>
Here to_host(P& place, There there) {
    double const start = now_seconds();
    Here here;
    auto const bring = [&](auto& to, auto& from) { download(place, to, std::move(from)); };
    [&]<std::size_t... I>(std::index_sequence<I...>) { (bring(field<I>(here), field<I>(there)), ...); }
    (FieldSequence<Here>{});
    here.stats.seconds.emplace_back("download", now_seconds() - start);
    return here;
}

}}}  // namespace zwalk::v0::detail
