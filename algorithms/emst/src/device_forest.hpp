// Borůvka's rounds on a device: the part of a spanning tree that depends on no dimension, see forest.hpp.
#pragma once
#include <functional>
#include <utility>

#include "edges.hpp"
#include "rule.hpp"
#include "take_core.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/emst/detail/device_rounds.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/walk/device_walk.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// What the rounds start from, in the device's memory; see Neighbourhood.
template <class T>
struct DeviceNeighbourhood {
    pos_t points = 0;  ///< at least 2
    pos_t listed = 0;
    DeviceBuffer<Key<T>> list;
    DeviceBuffer<T> core2, step2;
};

/// Finds the least edge of every component but `excluded`, whatever the lists say (trait.hpp).
template <class T>
using DeviceEdgeSearch =
    std::function<void(Fragments<T> const&, ColumnsView<FragmentPoint<T>> const&, pos_t excluded)>;

/// Borůvka's rounds over lists of neighbours, see Forest. The host waits once a round, and once a search beside its walk.
template <class T, class Device>
class DeviceForest {
  public:
    DeviceForest(Device& device, DeviceNeighbourhood<T>& from)
        : device_(device),
          n_(from.points),
          component_(array<pos_t>()),
          margin2_(array<T>()),
          candidate_(array<Key<T>>()),
          hint_(array<Key<T>>()),
          proven_(array<Key<T>>()),
          least_(array<pos_t>()),
          open_(array<pos_t>()),
          dropped_(array<pos_t>()),
          doing_(array<Doing>()),
          wanted_(array<std::uint8_t>()),
          edges_(device.template buffer<Edge<T>>(n_ - 1)),
          record_(device.template buffer<RoundRecord>(1)) {
        device.zero(record_.data(), 1);
        Fragments<T> const view{margin2_.data(), candidate_.data(), hint_.data(), proven_.data(),
                                least_.data()};
        r_ = {{view, from.core2.data(), from.step2.data(), doing_.data(), n_, from.listed},
              component_.data(),
              from.list.data(),
              dropped_.data(),
              wanted_.data(),
              open_.data(),
              record_.data()};
    }

    DeviceBuffer<Edge<T>> grow(DeviceEdgeSearch<T> const& search, Stats& stats) {
        double const start = now_seconds();
        double searching = 0, search_begin = start;
        std::uint64_t rounds = 0, searches = 0;
        bool searched = false;
        each(BeginRounds<T>{r_});
        for (;;) {
            if (rounds > 0) each(OfferCandidates<T>{r_});
            each(DoubtSleepers<T>{r_});
            RoundRecord const now = read();
            if (searched) searching += now_seconds() - search_begin;  // with what became of it
            // Every component has a nearest other one. A device that fails must not make this an endless loop.
            if (rounds > 0 && now.added == count_)
                throw Error("a round of the spanning tree added no edge: the device computed wrongly");
            count_ = now.added;
            if (count_ + 1 == n_) break;
            ++rounds;
            pos_t const components = n_ - count_;
            searched = components - now.doubted < components / patience + 1;
            pos_t excluded = no_pos;
            if (searched) {
                search_begin = now_seconds();
                ++searches;
                excluded = search_edges(search);
            }
            each(AddEdges<T>{r_, searched, excluded, edges_.data()});
        }
        stats.seconds.insert(stats.seconds.end(),
                             {{"rounds", now_seconds() - start - searching}, {"search", searching}});
        stats.counts.insert(
            stats.counts.end(),
            {{"rounds", rounds}, {"searches", searches}, {"points_searched", searched_}});
        return std::move(edges_);
    }

  private:
    template <class V>
    DeviceBuffer<V> array() {
        return device_.template buffer<V>(n_);
    }
    template <class F>
    void each(F const& f) {
        device_.for_each(n_, f);
    }

    /// Finds the least edges of all components but one by searching, and returns that one.
    pos_t search_edges(DeviceEdgeSearch<T> const& search) {
        each(OfferHints<T>{r_});
        device_.for_each((n_ - 1) / MarkWanted<T>::few + 1, MarkWanted<T>{r_});
        device_.count(wanted_.data(), n_, &record_.data()->wanted);
        RoundRecord const now = read();
        pos_t const excluded = now.most ? ~pos_t(now.most) : no_pos;
        // The one with most to search for need not: the others join it.
        pos_t const searching = now.wanted - pos_t(now.most >> 32);
        if (searching > 0) search(r_.view, {{{r_.component_of}, {r_.wanted}, {r_.core2}}}, excluded);
        searched_ += searching;
        return excluded;
    }

    RoundRecord read() {
        RoundRecord now;
        device_.download(&now, record_.data(), 1);
        return now;
    }

    Device& device_;
    pos_t n_;
    DeviceBuffer<pos_t> component_;
    DeviceBuffer<T> margin2_;
    DeviceBuffer<Key<T>> candidate_, hint_, proven_;
    DeviceBuffer<pos_t> least_, open_, dropped_;
    DeviceBuffer<Doing> doing_;
    DeviceBuffer<std::uint8_t> wanted_;
    DeviceBuffer<Edge<T>> edges_;
    DeviceBuffer<RoundRecord> record_;
    pos_t count_ = 0;  ///< edges
    std::uint64_t searched_ = 0;
    DeviceRounds<T> r_;
};

template <class T, class Device>
GrownTree<T, Device> device_grow_tree(Device& device, DeviceNeighbourhood<T>&& near,
                                      DeviceEdgeSearch<T> const& search, Stats& stats) {
    auto edges = DeviceForest<T, Device>(device, near).grow(search, stats);
    near.list = {};
    return {std::move(edges), std::move(near.core2)};
}
/// A tree as a result, of points whose input rows are `input`.
template <class T, class Device>
void device_write_tree(Device& device, GrownTree<T, Device>&& tree, DeviceBuffer<pos_t> const& input,
                       EmstResult<T, Device>& r) {
    write_result<T>(device, std::move(tree.edges), tree.core2, input, r);
}
/// Its edges on the host, in ascending order.
template <class T, class Device>
Buffer<Edge<T>> device_edges(Device& device, DeviceBuffer<Edge<T>>&& edges) {
    sort_edges(device, edges);
    Buffer<Edge<T>> here(edges.size());
    device.download(here.data(), edges.data(), edges.size());
    return here;
}

/// TakeCore on a device.
template <class T, class Device>
void device_take_cores(Device& device, NeighbourChunk<T> const& chunk, TakeCore<T> const& take) {
    visit_rows(device, chunk, take);
}

}}}  // namespace zwalk::v0::detail
