// The options of zwalk info.
#pragma once
#include <string>

namespace zwalk::apps {

/// The options, as text.
struct InfoCommand {
    std::string input, query, precision, k = "16", memory_budget, threads = "0", points,
                                         dataset = "PartType1/Coordinates", columns;
    bool ranks = false;
};

/// zwalk info --ranks: how fast messages between ranks are, and with --points what they would take for these. All ranks
/// call it.
/// @throws InputError  an option that makes no sense (on all ranks)
void run_info_on_ranks(InfoCommand const& command);

}  // namespace zwalk::apps
