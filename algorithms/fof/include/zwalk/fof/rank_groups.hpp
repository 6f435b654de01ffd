// Friends-of-friends of what a rank has and has imported, for algorithms on MPI ranks that group points.
#pragma once
#include <cstdint>

#include "zwalk/fof/algorithm.hpp"
#include "zwalk/run/rank_place.hpp"

namespace zwalk::inline v0::detail {

/// The root of each of a rank's points and of those that were imported for pairs within the linking length: of the groups that this
/// rank sees. Collective.
template <int D, class T, class P>
Buffer<pos_t> find_roots(Comm& comm, P& place, RankPoints<T>& points, Tree<T, Cpu>& all, FofOptions o) {
    Buffer<pos_t> root;
    auto const check = [&](std::uint64_t available) {
        std::size_t const n = all.size();
        check_device_memory(FofAlgorithm::name, n,
                            FofAlgorithm::device_bytes(double(n), D, sizeof(T), o), available);
    };
    run_on(comm, place, points, all, D, check, [&](RunPoints<T, P>& kept) {
        o.order = Order::z;
        download(place, root, Instance<FofAlgorithm, D, T, P>::run(place, kept, o).root);
    });
    return root;
}

}  // namespace zwalk::inline v0::detail
