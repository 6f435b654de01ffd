// Functions of points in arrays, on threads or on a GPU.
#include "bind.hpp"
#include "gravity.hpp"
#include "groups.hpp"
#include "neighbours.hpp"
#include "pairs.hpp"
#include "peaks.hpp"
#include "trees.hpp"

namespace zwalk::python {
namespace {

template <class T>
void bind(nb::module_& m) {
    FunctionsOf<PointArray<T>, Here>::template bind<Knn, RadiusLists, RadiusCounts, Fof, Dbscan, Emst,
                                                    Hdbscan, Pairs, Peaks, Gravity>(m);
    def(m, "peaks_clusters", &cut_peaks<T, Threads>);
}

}  // namespace

void bind_points(nb::module_& m) {
    bind<float>(m);
    bind<double>(m);
}

}  // namespace zwalk::python
