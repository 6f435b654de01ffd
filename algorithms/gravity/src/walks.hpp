// The walk of gravity that zwalk_add_walk() compiles, for each order of expansions.
#pragma once
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

#include "device_images.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/gravity/trait.hpp"
#include "zwalk/run/instance.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// In open space; in a periodic box images are among the sources. On a device points in a box may be given as they are, in one tree with
/// the targets: their images are made there.
template <int order, class T, class P>
struct WalkOf<Gravity<order, T>, P> {
    static constexpr bool is_asked = true;
    template <class Space>
    static WalkCounts run(P& place, Gravity<order, T> const& trait, Space const& space,
                          Tree<T, P> const& targets, Tree<T, P> const& sources,
                          WalkInputs<Gravity<order, T>> const& inputs) {
        if constexpr (std::is_same_v<Space, Open<3, T>>)
            return walk(place, trait, space, targets, sources, inputs);
        else if constexpr (is_device<P>) {
            if (&targets != &sources || inputs.after_chunk)
                throw Error(
                    "a device makes images of a tree whose points are the targets, in one chunk");
            return walk_with_images(place, trait, ImageBox(std::vector<T>(space.box, space.box + 3)),
                                    sources, inputs);
        } else std::abort();
    }

  private:
    static WalkCounts walk_with_images(P& place, Gravity<order, T> const& trait, ImageBox const& box,
                                       Tree<T, P> const& tree,
                                       WalkInputs<Gravity<order, T>> const& inputs) {
        TargetNodes const targets = top_nodes(tree, inputs.targets);
        if (targets.begin == targets.end) return {};
        auto all = DeviceImages<order, T, P>(place, trait, tree, inputs, box).run();
        WalkInputs<Gravity<order, T>> with_images;
        with_images.source_payload.template column<0>() = all.mass.data();
        with_images.target_payload = with_images.source_payload;
        with_images.targets = all.targets;
        return walk(place, trait, Open<3, T>(), all.tree, all.tree, with_images, std::move(all.known));
    }
};

}}}  // namespace zwalk::v0::detail
