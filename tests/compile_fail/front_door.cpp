// Wrong uses of the front door for traits. As traits.cpp.
#include "traits/nearest_brighter.hpp"
#include "zwalk/run/cpu.hpp"

using namespace zwalk;

struct Owns {
    std::vector<float> all;
    void operator()(auto const&, auto const&) const {}
};

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
#elif defined(CASE_const_place)
    Cpu const constant;
    (void)make_tree<3>(constant, points);
#elif defined(CASE_owning_output)
    (void)make_tree<3>(place, points).nearest({.k = 2}, Owns{});
#elif defined(CASE_place_goes)
    (void)make_tree<3>(Cpu(), points);
#else
    (void)make_tree<3>(place, points).array<unsigned char>();
#endif
}
