#include "zwalk/knn/knn.hpp"

#include "compiled_dims.hpp"
#include "search.hpp"
#include "zwalk/knn/index.hpp"

namespace zwalk::inline v0 {
namespace {

using namespace detail;

template <class T>
KnnResult<T> here(Points<T> sources, Points<T> const* queries, KnnOptions const& o, Cpu cpu,
                  KnnVisitor<T> const& visitor = {}) {
    return search<T>(CpuDims{}, cpu, sources, queries, o, visitor);
}

}  // namespace

template <class T>
KnnResult<T> knn(Points<T> points, KnnOptions const& options, Cpu const& cpu) {
    return here<T>(points, nullptr, options, cpu);
}
template <class T>
KnnResult<T> knn(Points<T> sources, Points<T> queries, KnnOptions const& options, Cpu const& cpu) {
    return here<T>(sources, &queries, options, cpu);
}

template <class T>
Stats detail::visit_knn(Points<T> sources, Points<T> const* queries, KnnVisitor<T> const& visitor,
                        KnnOptions const& options, Cpu const& cpu) {
    return here<T>(sources, queries, options, cpu, visitor).stats;
}

template <class T>
KnnResult<T> knn(Index<T> const& index, KnnOptions const& options) {
    check_for_index(options.box);
    return search<T>(CpuDims{}, index, static_cast<Points<T> const*>(nullptr), options);
}
template <class T>
KnnResult<T> knn(Index<T> const& index, std::type_identity_t<Points<T>> queries,
                 KnnOptions const& options) {
    check_for_index(options.box);
    return search<T>(CpuDims{}, index, &queries, options);
}

template <class T>
KnnIndex<T>::KnnIndex(Index<T>&& points) : Index<T>(std::move(points)) {
    // The pages of code that a first call brings in take longer than the query itself.
    std::vector<T> const anywhere(std::size_t(this->dim()));
    Points<T> const one(anywhere.data(), 1, this->dim());
    RunPoints<T, Cpu> kept(this->points());
    KnnQueries<T, Cpu> asked{one};
    (void)ask<KnnAlgorithm>(CpuDims{}, this->place(), kept, {{.k = 1}, &asked, {}});
}
template <class T>
KnnResult<T> KnnIndex<T>::query(Points<T> queries, KnnOptions const& o,
                                KnnVisitor<T> const& visitor) const {
    return search<T>(CpuDims{}, *this, &queries, o, visitor);
}
template <class T>
KnnResult<T> KnnIndex<T>::self(KnnOptions const& o, KnnVisitor<T> const& visitor) const {
    return search<T>(CpuDims{}, *this, static_cast<Points<T> const*>(nullptr), o, visitor);
}

#define ZWALK_KNN(T)                                                                    \
    template Stats detail::visit_knn(Points<T>, Points<T> const*, KnnVisitor<T> const&, \
                                     KnnOptions const&, Cpu const&);                    \
    template KnnResult<T> knn(Points<T>, KnnOptions const&, Cpu const&);                \
    template KnnResult<T> knn(Points<T>, Points<T>, KnnOptions const&, Cpu const&);     \
    template KnnResult<T> knn(Index<T> const&, KnnOptions const&);                      \
    template KnnResult<T> knn(Index<T> const&, Points<T>, KnnOptions const&);           \
    template class KnnIndex<T>;
ZWALK_KNN(float)
ZWALK_KNN(double)

}  // namespace zwalk::inline v0
