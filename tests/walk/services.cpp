// Services of walks by pairs (support/services.hpp), on CPU threads and on groups.
#include "support/services.hpp"

using namespace test;

namespace {

template <int begin, int end>
void check() {
    auto const standard = [](auto const&... a) { walk(a...); };
    auto const lower_isa = [](auto const&... a) { walk(a..., CpuSteps<float>{Isa::baseline}); };
    CheckedRun races;
    auto const groups = [&](auto const&... a) { walk(a..., CheckedGroups<4, 8>{&races}); };
    check_lines<begin, end>(1, Way{2, standard}, Way{1, lower_isa}, Way{1, groups});
    CHECK(races.races == 0);
}

}  // namespace

TEST_CASE("services of walks, by pairs: as in the reference walk") { check<0, first_symmetric>(); }
TEST_CASE("services of symmetric walks, by pairs: as in the reference walk") {
    check<first_symmetric, all_choices>();
}
