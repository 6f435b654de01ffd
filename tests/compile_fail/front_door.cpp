// Wrong uses of the front door for traits. As traits.cpp.
#include "traits/ball_lists.hpp"
#include "traits/nearest_brighter.hpp"
#if defined(CASE_place_header)
#include "zwalk/run/point_tree.hpp"
#else
#include "zwalk/run/cpu.hpp"
#include "zwalk/run/host_device.hpp"
#endif
#if defined(CASE_cuda_absent)
#define __CUDACC__
#define ZWALK_BUILT_WITHOUT_CUDA
#endif
#if defined(CASE_cuda_header) || defined(CASE_cuda_absent)
#include "zwalk/run/cuda.cuh"
#undef __CUDACC__
#endif
#include "zwalk/run/index.hpp"

using namespace zwalk;

struct Owns {
    std::vector<float> all;
    void operator()(auto const&, auto const&) const {}
};

struct WithConstructor {
    WithConstructor(float x) : light(x) {}
    float light;
};
struct WithArray {
    float light;
    float colour[3];
};
struct WithPointer {
    float light;
    float const* colours;
};
struct OtherStar {
    float light;
};
struct Counts : Types<3, float> {
#if defined(CASE_uses_not_static)
    Uses uses{};
#elif !defined(CASE_no_uses)
    static constexpr Uses uses{};
#endif
    using Fold = int;
    Decision decide(Node const&, Node const&, Bounds) const { return Decision::descend; }
    Fold begin(Target const&, State) const { return 0; }
    void visit(Fold& n, Target const&, Point const&, float) const { ++n; }
    void end(Fold const&, Target const&) const {}
};

#if defined(CASE_list_no_names)
struct Listed {};
#else
struct Listed : Types<3, float> {
#if !defined(CASE_list_no_uses)
#if defined(CASE_list_cutoff_missing)
    static constexpr ListUses uses{.cutoff = true};
#elif defined(CASE_list_limits_missing)
    static constexpr ListUses uses{.limits = true};
#elif defined(CASE_list_summary_missing)
    static constexpr ListUses uses{.summary = true};
#else
    static constexpr ListUses uses{};
#endif
#endif
#if !defined(CASE_list_no_decide)
    Decision decide(Node const&, Node const&, Bounds) const { return Decision::descend; }
#endif
#if defined(CASE_list_wanted_wrong)
    bool wanted(Target const&, Point const&) const { return true; }
#else
    bool wanted(Target const&, Point const&, float) const { return true; }
#endif
#if defined(CASE_list_cutoff_undeclared)
    float cutoff2() const { return 1; }
#endif
#if defined(CASE_list_summary_undeclared)
    Empty summarize(Point const&) const { return {}; }
    Empty merge(Empty, Empty) const { return {}; }
#endif
#if defined(CASE_list_not_copyable)
    std::vector<float> all;
#endif
};
#endif

int main() {
    Cpu place;
    std::vector<std::array<float, 3>> const points;
#if defined(CASE_ints)
    (void)make_tree<3>(place, std::vector<std::array<int, 3>>());
#elif defined(CASE_flat)
    (void)make_tree<3>(place, std::vector<float>());
#elif defined(CASE_no_payload)
    (void)make_tree<3>(place, points).walk(examples::NearestBrighter{});
#elif defined(CASE_other_precision)
    auto const tree = make_tree<3>(place, std::vector<std::array<double, 3>>());
    (void)tree.walk(examples::NearestBrighter{}, tree.payload(std::vector<examples::Star>()));
#elif defined(CASE_bool_array)
    (void)make_tree<3>(place, points).array<bool>();
#elif defined(CASE_number_payload)
    (void)make_tree<3>(place, points).payload(std::vector<float>());
#elif defined(CASE_constructor_payload)
    (void)make_tree<3>(place, points).payload(std::vector<WithConstructor>());
#elif defined(CASE_array_payload)
    (void)make_tree<3>(place, points).payload(std::vector<WithArray>());
#elif defined(CASE_pointer_payload)
    (void)make_tree<3>(place, points).payload(std::vector<WithPointer>());
#elif defined(CASE_raw_payload)
    (void)make_tree<3>(place, points).walk(examples::NearestBrighter{}, std::vector<examples::Star>());
#elif defined(CASE_other_payload)
    auto const tree = make_tree<3>(place, points);
    (void)tree.walk(examples::NearestBrighter{}, tree.payload(std::vector<OtherStar>()));
#elif defined(CASE_raw_payloads)
    auto const tree = make_tree<3>(place, points);
    std::vector<examples::Star> const stars;
    (void)tree.walk_against(tree, examples::NearestBrighter{}, tree.payload(stars), stars);
#elif defined(CASE_raw_source_payload)
    auto const tree = make_tree<3>(place, points);
    (void)tree.walk_against(tree, examples::NearestBrighter{}, std::vector<examples::Star>());
#elif defined(CASE_vectors)
    (void)make_tree<3>(place, std::vector<std::vector<float>>());
#elif defined(CASE_const_place)
    Cpu const constant;
    (void)make_tree<3>(constant, points);
#elif defined(CASE_owning_output)
    (void)make_tree<3>(place, points).nearest({.k = 2}, Owns{});
#elif defined(CASE_point_structs)
    struct Own {
        float x, y, z;
    };
    (void)make_tree<3>(place, std::vector<Own>());
#elif defined(CASE_index_goes)
    (void)make_tree<3>(place, Index<float>(points));
#elif defined(CASE_index_with_box)
    Index<float> const index(points);
    (void)make_tree<3>(place, index, {.box = {1}});
#elif defined(CASE_index_place)
    Index<float, HostDevice<true>> const index(points);
#elif defined(CASE_box_of_points)
    (void)make_tree<3>(place, points, {.box = points});
#elif defined(CASE_box_text)
    (void)make_tree<3>(place, points, {.box = "1"});
#elif defined(CASE_period)
    (void)make_tree<3>(place, points, {.period = {1}});
#elif defined(CASE_period_of_axes)
    (void)make_tree<3>(place, Points<float>(points), {.period = {1, 0, 1}, .tree = {}});
#elif defined(CASE_list_walked)
    (void)make_tree<3>(place, points).walk(examples::Ball<3, float>{});
#elif defined(CASE_place_goes)
    (void)make_tree<3>(Cpu(), points);
#elif defined(CASE_list_payload)
    (void)make_tree<3>(place, points).lists(examples::BrighterNearby<3, float>{});
#elif defined(CASE_list_other_dimension)
    (void)make_tree<3>(place, points).lists(examples::Ball<2, float>{});
#else
    (void)make_tree<3>(place, points).array<unsigned char>();
    (void)make_tree<3>(place, std::vector<Vec<3, float>>()).walk(Counts{});
#if !defined(CASE_place_header)
    int const n = 1;
    std::array<float, 3> const lengths{1, 0, 1};
    (void)make_tree<3>(place, points, {.box = 1});
    (void)make_tree<3>(place, points, {.box = {n, 0, n}});
    (void)make_tree<3>(place, points, {.box = lengths});
    (void)make_tree<3>(place, points, {{}, {.leaf_size = 3}});
    (void)make_tree<3>(place, points, {});
#endif
#if !defined(CASE_place_header)
    (void)make_tree<3>(place, points).lists(Listed{});
#endif
#endif
}
