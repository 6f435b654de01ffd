// The Hausdorff distance of two clouds, on threads and on a host that does what a GPU does, beside a double loop.
#include "traits/hausdorff.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "zwalk/run/cpu.hpp"
#include "zwalk/run/host_device.hpp"
#include "zwalk/testing/points.hpp"

namespace {

using namespace zwalk;
using Rows = testing::Rows<3, float>;

float by_loop(Rows const& targets, Rows const& sources) {
    float furthest2 = 0;
    for (auto const& p : targets) {
        float nearest2 = infinity<float>;
        for (auto const& q : sources)
            nearest2 = std::min(nearest2, distance2(Open<3, float>{}, Vec<3, float>{p[0], p[1], p[2]},
                                                    Vec<3, float>{q[0], q[1], q[2]}));
        furthest2 = std::max(furthest2, nearest2);
    }
    return std::sqrt(furthest2);
}

template <class Place>
float hausdorff(Place place, Rows const& targets, Rows const& sources) {
    auto const tree = make_tree<3>(place, sources);
    examples::Hausdorff<3, float> trait;
    // A few targets say which distance is reached in any case.
    Rows some;
    for (std::size_t i = 0; i < targets.size(); i += 1 + targets.size() / 200)
        some.push_back(targets[i]);
    for (Rows const* rows : {static_cast<Rows const*>(&some), &targets}) {
        auto const walked = tree.targets(*rows);
        auto nearest2 = walked.template array<float>();
        trait.nearest2 = nearest2.data();
        walked.walk_against(tree, trait);
        auto const found = nearest2.in_input_order();
        trait.enough2 = *std::max_element(found.begin(), found.end());
    }
    return std::sqrt(trait.enough2);
}

}  // namespace

int main() {
    int wrong = 0;
    for (char const* kind : {"uniform", "clustered"}) {
        auto const targets = testing::make_points<3, float>(kind, 4000, 1),
                   sources = testing::make_points<3, float>(kind, 5000, 2);
        float const expected = by_loop(targets, sources), found = hausdorff(Cpu(2), targets, sources);
        wrong += found != expected || hausdorff(HostDevice<>(), targets, sources) != expected;
        std::printf("%s clouds of %zu and %zu points: a Hausdorff distance of %.4f, %s\n", kind,
                    targets.size(), sources.size(), double(found),
                    wrong ? "WRONG" : "as a loop finds it");
    }
    return wrong > 0;
}
