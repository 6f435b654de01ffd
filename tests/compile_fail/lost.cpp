// Traits whose hooks add to copies. Each case, chosen by -DCASE_<name>, must stop the compiler with one plain sentence; without a case
// the file compiles. Run by tests/compile_fail/CMakeLists.txt.
#include "zwalk/walk/check.hpp"

using namespace zwalk;

struct Good : Types<3, float> {
    static constexpr Uses uses{
        .reach = true, .state = true, .summary = true, .total = true, .far = true};
    using Fold = int;
    using State = int;
    using Reach = int;
    using Summary = int;
    using Total = int;
    Decision decide(Node const&, Node const&, Bounds) const { return Decision::descend; }
    Reach reach_begin(Node const&) const { return 0; }
    void reach_add(Reach&, Node const&, Node const&, Bounds) const {}
    Key<float> reach_end(Reach, Node const&) const { return {}; }
    State top_state() const { return 0; }
    State inherit(State s, Node const&, Node const&) const { return s; }
    void absorb(State&, Node const&, Node const&, Bounds) const {}
    Summary summarize(Point const&) const { return 1; }
    Summary merge(Summary a, Summary b) const { return a + b; }
    Fold begin(Point const&, State) const { return 0; }
    void visit(Fold&, Point const&, Point const&, float) const {}
    void far(Fold&, Point const&, Summary, auto const&) const {}
    void end(Fold const&, Point const&, auto& sink) const { ++sink.total(); }
    void combine(Total& a, Total const& b) const { a += b; }
};
static_assert(check_interaction<Good>());
/// Where a fold says where numbers are, it may be copied.
struct Pointing : Types<3, float> {
    static constexpr Uses uses{};
    using Fold = float*;
    Decision decide(Node const&, Node const&, Bounds) const { return Decision::descend; }
    Fold begin(Point const&, State) const { return nullptr; }
    void visit(Fold f, Point const&, Point const&, float d2) const { *f += d2; }
    void end(Fold, Point const&) const {}
};
static_assert(check_interaction<Pointing>());

#if defined(CASE_visit)
struct Wrong : Good {
    void visit(Fold, Point const&, Point const&, float) const {}
};
#elif defined(CASE_visit_const)
struct Wrong : Good {
    void visit(Fold const&, Point const&, Point const&, float) const {}
};
#elif defined(CASE_far)
struct Wrong : Good {
    void far(Fold, Point const&, Summary, auto const&) const {}
};
#elif defined(CASE_absorb)
struct Wrong : Good {
    void absorb(State, Node const&, Node const&, Bounds) const {}
};
#elif defined(CASE_reach_add)
struct Wrong : Good {
    void reach_add(Reach, Node const&, Node const&, Bounds) const {}
};
#elif defined(CASE_combine)
struct Wrong : Good {
    void combine(Total, Total const&) const {}
};
#else
using Wrong = Good;
#endif

constexpr bool ok = check_interaction<Wrong>();
int main() { return ok ? 0 : 1; }
