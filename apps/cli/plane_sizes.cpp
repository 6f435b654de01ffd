#include "plane_sizes.hpp"

#include "zwalk/tree/joint.hpp"

namespace zwalk::apps {

std::vector<std::size_t> plane_sizes(io::PointSet const& set) {
    Cpu const cpu;
    auto const sizes = [&]<class T>(Points<T> points) {
        auto const tree = build_tree(cpu, points, points.dim);
        std::vector<std::size_t> nodes;
        for (auto const& plane : tree.planes) nodes.push_back(plane.nodes());
        return nodes;
    };
    return set.precision() == io::Precision::f4 ? sizes(set.points<float>())
                                                : sizes(set.points<double>());
}

}  // namespace zwalk::apps
