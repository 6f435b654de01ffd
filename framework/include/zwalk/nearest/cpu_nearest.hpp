// The k nearest sources on CPU threads, with an output functor of your own; device_nearest.hpp does it on devices.
#pragma once
#include "zwalk/nearest/meet.hpp"
#include "zwalk/nearest/search.hpp"

namespace zwalk { inline namespace v0 {

/// Hands the k nearest sources of every target to `output`, see Nearest; both trees have D columns, and are one
/// tree in a self query. k may exceed the number of sources; the missing ones are the output's. By a walk, or in more than
/// four dimensions all with all where that is expected to take less time; then nothing is counted.
template <int D, class T, class Space, class Output>
WalkCounts find_nearest(Cpu const& cpu, Space const& space, Tree<T, Cpu> const& targets,
                        Tree<T, Cpu> const& sources, NearestSearch const& search, Output const& output) {
    Nearest<D, T, Output> trait(attainable_k(std::size_t(search.k), sources.size()), output);
    trait.exclude_self = search.exclude_self;
    trait.limit2 = search.template limit2<T>();
    return cpu.run([&] {
        return detail::meet(cpu, trait, space, space, targets, sources, D, search.targets).counts;
    });
}

}}  // namespace zwalk::v0
