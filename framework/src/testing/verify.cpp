#include "zwalk/testing/verify.hpp"

#include <algorithm>

namespace zwalk { inline namespace v0 { namespace testing {

std::vector<LibertyTrial> const& liberty_trials() {
    static std::vector<LibertyTrial> const all{
        {{.whole = true}, "whole", "links points of one node that are not of one group", &Uses::links},
        {{.horizon = true}, "horizon", "leaves out sources that matter", &Uses::ordered},
        {{.cutoff = true}, "cutoff2", "leaves out pairs that matter", &Uses::cutoff},
        {{.idle = true}, "idle", "leaves out targets that have something to do", &Uses::idle},
        {{.whole = true, .discard = true}, "decide", "discards pairs that matter", nullptr},
        {{.whole = true, .discard = true, .reach = true},
         "reach_end",
         "is below what still matters",
         &Uses::reach},
        {{.whole = true, .accept = true},
         "absorb",
         "does not give what the points of an accepted pair give, or decide() accepts too much, or "
         "inherit() loses it",
         &Uses::state},
        {{.whole = true, .accept = true},
         "far",
         "does not give what the points of an accepted node give, or decide() accepts too much",
         &Uses::far},
        {{.whole = true, .accept = true},
         "accept",
         "does not give what the points of an accepted pair give, or decide() accepts too much",
         &Uses::total},
        {{.whole = true, .accept = true},
         "accept",
         "links points that are not of one group, or decide() accepts too much",
         &Uses::links}};
    return all;
}

std::string fast_hooks(std::vector<WalkedTrait> const& walked) {
    std::string all;
    auto const add = [&](auto service, char const* hooks) {
        if (std::any_of(walked.begin(), walked.end(), service))
            all += (all.empty() ? "" : ", ") + std::string(hooks);
    };
    add([](WalkedTrait const& w) { return w.uses.ordered; }, "horizon");
    add([](WalkedTrait const& w) { return w.uses.cutoff; }, "cutoff2");
    add([](WalkedTrait const& w) { return w.uses.idle; }, "idle");
    add([](WalkedTrait const& w) { return w.uses.lanes; }, "visit or pair of several sources, join");
    add([](WalkedTrait const& w) { return w.uses.scratch; }, "scratch_bytes");
    add([](WalkedTrait const& w) { return w.tuning.leaf_summary; }, "summarize_leaf");
    add([](WalkedTrait const& w) { return w.tuning.blocks; }, "visit_block");
    add([](WalkedTrait const& w) { return w.tuning.guess; }, "assume, is_short, enough");
    add([](WalkedTrait const& w) { return w.tuning.sift; }, "useful, alike, narrow");
    return all.empty() ? "none" : all;
}

void add_thrown(Report& report, std::string const& sentence, Scene const& scene) {
    std::size_t const call = sentence.find("() ");
    if (call < sentence.find(' '))
        report.add(sentence.substr(0, call), sentence.substr(call + 3), describe(scene));
    else if (sentence.starts_with("sink.link(")) report.add("accept or pair", sentence, describe(scene));
    else report.add("program", sentence, describe(scene));
}

char const* writing_hook(TrialPlan const& plan) { return plan.any(&Uses::symmetric) ? "pair" : "end"; }

}}}  // namespace zwalk::v0::testing
