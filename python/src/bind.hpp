// The parts of the module, one for each source. Names, defaults, conversions and docs are Python's (../zwalk): what is bound
// here takes all of its arguments, by position.
#pragma once
#include <nanobind/nanobind.h>

namespace zwalk::python {

void bind_knn(nanobind::module_& m);
void bind_index(nanobind::module_& m);
void bind_groups(nanobind::module_& m);
void bind_trees(nanobind::module_& m);
void bind_clusters(nanobind::module_& m);
void bind_pairs(nanobind::module_& m);
void bind_peaks(nanobind::module_& m);
void bind_gravity(nanobind::module_& m);
void bind_cuda(nanobind::module_& m);

}  // namespace zwalk::python
