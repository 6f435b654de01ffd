// knn_reduce() on MPI ranks: what kNN shows on each of them.
#include <variant>

#include "zwalk/density/density.hpp"
#include "zwalk/density/density_mpi.hpp"
#include "zwalk/dist/agree_on.hpp"

namespace zwalk::inline v0::detail {

template <class T>
KnnReducedOnRanks<T> reduce_knn(RankInput<T> const& sources,
                                std::type_identity_t<Points<T>> const* queries, Reduction what,
                                KnnOptions const& o, Mpi const& mpi, Cpu const& cpu) {
    std::variant<KthDistance<T>, BallDensity<T>, SphDensity<T>> object{KthDistance<T>{nullptr, o.k}};
    RankReducer<T> reducer;
    reducer.agree = [&](Comm& comm) {
        comm.attempt([&] { check_reduction(what, sources.dim); });
        agree_on(comm, {{"the reduction", int(what)}});
    };
    reducer.into = [&](T* value) {
        return with_reduction(what, value, sources.dim, o.k, [&]<class Object>(Object const& made) {
            return make_visitor<T>(object.template emplace<Object>(made));
        });
    };
    return reduce_knn(sources, queries, reducer, o, mpi, cpu);
}

template KnnReducedOnRanks<float> reduce_knn(RankInput<float> const&, Points<float> const*, Reduction,
                                             KnnOptions const&, Mpi const&, Cpu const&);
template KnnReducedOnRanks<double> reduce_knn(RankInput<double> const&, Points<double> const*, Reduction,
                                              KnnOptions const&, Mpi const&, Cpu const&);

}  // namespace zwalk::inline v0::detail
