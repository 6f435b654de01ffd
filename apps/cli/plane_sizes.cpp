#include "plane_sizes.hpp"

#include "zwalk/tree/joint.hpp"

namespace zwalk::apps {

std::vector<std::size_t> plane_sizes(io::PointSet const& set) {
    Cpu const cpu;
    auto const sizes = [&]<class T>(Points<T> points) {
        std::span<Points<T> const> const one(&points, 1);
        auto const tree =
            cpu.run([&] { return build_joint_tree(cpu, one, points.dim, TreeOptions{}, nullptr); });
        std::vector<std::size_t> nodes;
        for (CutPlane const& plane : tree.types.front().planes) nodes.push_back(plane.first.size() - 1);
        return nodes;
    };
    return set.precision() == io::Precision::f4 ? sizes(set.points<float>())
                                                : sizes(set.points<double>());
}

}  // namespace zwalk::apps
