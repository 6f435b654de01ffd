// Functions of points in arrays.
#include "bind.hpp"
#include "gravity.hpp"
#include "neighbours.hpp"
#include "pairs.hpp"

namespace zwalk::python {

void bind_points(nb::module_& m) {
    FunctionsOf<PointArray<float>, Here>::bind<Knn, RadiusLists, RadiusCounts, Pairs, Gravity>(m);
    FunctionsOf<PointArray<double>, Here>::bind<Knn, RadiusLists, RadiusCounts, Pairs, Gravity>(m);
}

}  // namespace zwalk::python
