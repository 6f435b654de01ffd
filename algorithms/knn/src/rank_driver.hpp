// Nearest neighbours on MPI ranks, in rows.
#pragma once
#include "compiled_dims.hpp"
#include "zwalk/knn/knn_ranks.hpp"

namespace zwalk::inline v0::detail {

/// Positions in the tree become names.
struct NameSources {
    index_t* index;
    index_t const* names;
    void operator()(std::size_t i) const {
        if (index[i] >= 0) index[i] = names[index[i]];
    }
};

/// All neighbours, in rows. Collective.
template <class T, class Place>
KnnOnRanks<T> find_on_ranks(Comm& comm, Cpu const& cpu, Place place, KnnOptions const& o,
                            RankInput<T> const& sources,
                            std::type_identity_t<Points<T>> const* queries) {
    KnnOnRanks<T> r;
    KnnRanks<T, Place> ranks(comm, cpu, place, o, sources, queries, r.stats);
    r.columns = std::size_t(o.k);
    ranks.find(
        false, [](auto&, auto&) {},
        [&](KnnResult<T> found, auto& all) {
            auto const names = ranks.names_of(all);
            cpu.for_each(found.indices.size(), NameSources{found.indices.data(), names.data()});
            r.rows = found.rows;
            r.indices = std::move(found.indices);
            r.distances = std::move(found.distances);
        });
    r.source_order = ranks.take_source_order();
    ranks.asking().hand_over(r, o.order, [&] {
        ranks.asking().bring_home(r.indices, r.columns);
        ranks.asking().bring_home(r.distances, r.columns);
        r.rows = ranks.asking().rows();
    });
    return r;
}

}  // namespace zwalk::inline v0::detail
