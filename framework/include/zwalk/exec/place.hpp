// Where points, trees and results live, and where the work on them runs.
//
// There are three places: Cpu (cpu.hpp: threads), CudaDevice (cuda_device.cuh: a GPU and a stream) and HostDevice
// (host_device.hpp: what a GPU does, on one thread of the host, for tests). They have the same verbs, and the
// functions of the framework are overloaded on them: build_tree(place, ...), walk(place, ...), so code that is
// written with these runs on each of them.
//
//   buffer<V>(n)          ArrayOn<Place, V>: n elements in its memory, uninitialised
//   upload(to, from, n)   from the host's memory; `from` has been read when it returns, if it isn't pinned
//   download(to, from, n) to the host's memory; waits
//   copy(to, from, n)     inside its memory
//   zero(to, n)           n elements
//   for_each(n, f)        f(i) for i < n, in any order and at the same time; f a trivially copyable struct, whose
//                         operator() is ZWALK_HD
//   exclusive_scan(in, out, n)  out[i] = sum of in[0..i), of 32-bit numbers in 64 bits
//   count(flags, n)       how many of the bytes (0 or 1) are 1; waits
//   positions(flags, n, out)  those i < n with flags[i] == 1, ascending
//   available()           bytes of memory that could still be had
//   memory_budget()       bytes that its user lets a call have for what can be bounded; 0: as many as is usual
//   synchronize()         waits until all of this has been done
//
// The two devices have more (device.hpp), for the framework itself.
#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/config.hpp"
#include "zwalk/core/index.hpp"

namespace zwalk { inline namespace v0 {

class Cpu;
struct Mpi;  // include zwalk/ranks/mpi.hpp, and link zwalk::mpi
template <class V>
class Buffer;
template <class V>
class DeviceBuffer;

namespace detail {
template <class P>
struct HomeOf {
    using type = P;
};
template <class P>
requires requires { typename P::Home; }
struct HomeOf<P> {
    using type = typename P::Home;
};
template <>
struct HomeOf<Mpi> {
    using type = Mpi;
};
}  // namespace detail

/// The place that arguments of type P stand for: P, or for a class derived from a place, which walks there in another way
/// (walk/checked.hpp), the one that it names as its `Home`. It has the arrays and the trees.
template <class P>
using PlaceOf = typename detail::HomeOf<std::remove_cvref_t<P>>::type;

/// True for all places but the host: its threads, and those of MPI ranks, where results are, too.
template <class P>
inline constexpr bool is_device = !std::is_same_v<PlaceOf<P>, Cpu> && !std::is_same_v<PlaceOf<P>, Mpi>;

/// An array of V in the memory of a place; known where the place itself is only declared.
template <class P, class V>
using ArrayOn = std::conditional_t<is_device<P>, DeviceBuffer<V>, Buffer<V>>;

/// The number of a row of the input in results on a place P: MPI ranks (Mpi) number those of all of them, lower ranks' first.
template <class P>
using RowOn = std::conditional_t<std::is_same_v<P, Mpi>, index_t, pos_t>;

namespace detail {
struct AnyStep {
    ZWALK_HD void operator()(std::size_t) const {}
};
}  // namespace detail

/// The verbs of a place for code that runs anywhere; the top of this file lists them.
template <class P>
concept Place = requires(P& place, std::size_t n, pos_t* x, pos_t const* y, std::uint8_t const* flags,
                         size_type* offsets) {
    { place.template buffer<pos_t>(n) } -> std::same_as<ArrayOn<P, pos_t>>;
    place.upload(x, y, n);
    place.download(x, y, n);
    place.copy(x, y, n);
    place.zero(x, n);
    place.for_each(n, detail::AnyStep{});
    place.exclusive_scan(y, offsets, n);
    { place.count(flags, n) } -> std::same_as<pos_t>;
    place.positions(flags, n, x);
    { place.available() } -> std::same_as<std::uint64_t>;
    { place.memory_budget() } -> std::same_as<std::uint64_t>;
    place.synchronize();
};

/// to[i] = from[at[i]], for Place::for_each.
template <class V>
struct Gather {
    V const* from;
    pos_t const* at;
    V* to;
    ZWALK_HD void operator()(std::size_t i) const { to[i] = from[at[i]]; }
};
/// to[at[i]] = from[i], for Place::for_each.
template <class V>
struct Scatter {
    V const* from;
    pos_t const* at;
    V* to;
    ZWALK_HD void operator()(std::size_t i) const { to[at[i]] = from[i]; }
};
/// to[i] = value, for Place::for_each.
template <class V>
struct Fill {
    V* to;
    V value;
    ZWALK_HD void operator()(std::size_t i) const { to[i] = value; }
};
/// to[i] = i, for Place::for_each.
struct Iota {
    pos_t* to;
    ZWALK_HD void operator()(std::size_t i) const { to[i] = pos_t(i); }
};

/// A copy of an array in the memory of the same place.
template <Place P, class V>
ArrayOn<P, V> copy_on(P& place, V const* from, std::size_t n) {
    auto to = place.template buffer<V>(n);
    place.copy(to.data(), from, n);
    return to;
}

/// A copy of host memory in that of a place.
template <Place P, class From>
auto copy_to(P& place, From const& from) {
    using V = std::remove_cvref_t<decltype(*from.data())>;
    auto to = place.template buffer<V>(from.size());
    place.upload(to.data(), from.data(), from.size());
    return to;
}

}}  // namespace zwalk::v0
