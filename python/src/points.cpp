// Functions of points in arrays, on threads or on a GPU.
#include "functions.hpp"

namespace zwalk::python {

void bind_points(nb::module_& m) {
    bind_functions<float, Here, Threads>(m);
    bind_functions<double, Here, Threads>(m);
}

}  // namespace zwalk::python
