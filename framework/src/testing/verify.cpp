#include "zwalk/testing/verify.hpp"

namespace zwalk::inline v0::testing {

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

std::string fast_hooks(std::vector<Uses> const& uses) {
    struct Named {
        bool Uses::*service;
        char const* hooks;
    };
    std::string all;
    for (auto const& [service, hooks] : {Named{&Uses::ordered, "horizon"},
                                         {&Uses::cutoff, "cutoff2"},
                                         {&Uses::idle, "idle"},
                                         {&Uses::lanes, "visit or pair of several sources, join"},
                                         {&Uses::leaf_summary, "summarize_leaf"},
                                         {&Uses::scratch, "scratch_bytes"},
                                         {&Uses::blocks, "visit_block"},
                                         {&Uses::guess, "assume, is_short, enough"},
                                         {&Uses::sift, "useful, alike, narrow"}})
        for (Uses const& own : uses)
            if (own.*service) {
                all += (all.empty() ? "" : ", ") + std::string(hooks);
                break;
            }
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

}  // namespace zwalk::inline v0::testing
