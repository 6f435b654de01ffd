#include "zwalk/testing/report.hpp"

#include <algorithm>
#include <ostream>

#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 { namespace testing {

bool Report::names(std::string_view hook) const {
    return std::any_of(findings_.begin(), findings_.end(),
                       [&](Finding const& finding) { return finding.hook == hook; });
}

void Report::add(std::string const& hook, std::string const& what, std::string const& where) {
    std::string kind = hook + what;
    std::erase_if(kind, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; });
    auto const known = std::find(kinds_.begin(), kinds_.end(), kind);
    if (known != kinds_.end()) {
        ++findings_[std::size_t(known - kinds_.begin())].times;
        return;
    }
    kinds_.push_back(kind);
    findings_.push_back({hook, detail::text("{}: {}: {}", hook, what, where)});
}

std::string Report::text() const {
    std::string all = detail::text(
        "{} in {} sets of points, {} runs, seed {}\n",
        ok() ? "no mistake"
             : detail::text("{} mistake{}", findings_.size(), findings_.size() == 1 ? "" : "s"),
        sets, walks, seed);
    for (Finding const& finding : findings_)
        all += detail::text("  {} (seen {} times)\n", finding.sentence, finding.times);
    if (!ok()) return all;
    all += detail::text("  decide: {} pairs of nodes discarded, {} accepted, {} descended\n",
                        decisions.discarded, decisions.accepted, decisions.descended);
    if (decisions.descended > 0 && decisions.discarded + decisions.accepted == 0)
        all += "  note: decide only ever descends, so all walks were brute force\n";
    else if (takes_accepted && decisions.accepted == 0)
        all +=
            "  note: decide accepts no pair, so no result depends on the hook for accepted pairs "
            "(absorb, "
            "far or accept)\n";
    return all;
}

std::ostream& operator<<(std::ostream& out, Report const& report) { return out << report.text(); }

std::string describe(Scene const& scene) {
    return detail::text("{} points ({}, seed {}), {}, {}", scene.points, scene.kind, scene.seed,
                        scene.leaf_size == 0 ? std::string("leaves of the usual size")
                                             : detail::text("leaves of {}", scene.leaf_size),
                        scene.place);
}

}}}  // namespace zwalk::v0::testing
