// All functions of points in arrays.
#pragma once
#include "bind.hpp"
#include "gravity.hpp"
#include "groups.hpp"
#include "neighbours.hpp"
#include "pairs.hpp"
#include "peaks.hpp"
#include "trees.hpp"

namespace zwalk::python {

/// Binds them for a place, and for its threads what works on these alone.
template <class T, class Where, class OnThreads>
void bind_functions(nb::module_& m) {
    FunctionsOf<PointArray<T>, Where>::template bind<Knn, RadiusLists, RadiusCounts, Fof, Dbscan, Emst,
                                                     Hdbscan, Pairs, Peaks, Gravity>(m);
    def(m, "peaks_clusters", &cut_peaks<T, OnThreads>);
}

}  // namespace zwalk::python
