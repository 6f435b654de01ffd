// libuv has a function of this kind (uv_get_available_memory), Boost, oneTBB, hwloc and fmt have none.
// libuv's looks at the process's own group only, not at those above it, where containers often have
// their limit; it takes all page cache for used; and it would bring an event loop with it.
#include "zwalk/core/available_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "zwalk/core/keep_memory.hpp"

namespace zwalk { inline namespace v0 {
namespace {

namespace fs = std::filesystem;

/// The number behind `word` (at the start of a line), or that the file starts with if there is no word.
/// Nothing without such a number: unlimited groups have "max".
std::optional<std::uint64_t> number_in(fs::path const& file, std::string_view word = "") {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string first;
        if (!word.empty() && !(words >> first && first == word)) continue;
        std::uint64_t number = 0;
        if (words >> number) return number;
    }
    return {};
}

/// The two versions of control groups.
struct Groups {
    std::string_view file_system, controller, limit, usage, page_cache;
};
constexpr Groups both_groups[] = {
    {"cgroup2", "", "memory.max", "memory.current", "inactive_file"},
    {"cgroup", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}};

std::vector<std::string> split(std::string const& line, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(line);
    for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
    return parts;
}

bool names(std::string const& list, std::string_view controller) {
    auto const parts = split(list, ',');
    return controller.empty() || std::find(parts.begin(), parts.end(), controller) != parts.end();
}

/// Path of the process's group in its hierarchy; "" if it is in none. Lines of the file are like
/// "4:cpu,memory:/jobs/12", and of version 2 "0::/jobs/12".
std::string own_group(fs::path const& root, Groups const& groups) {
    std::ifstream in(root / "proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {
        auto const first = line.find(':'), second = line.find(':', first + 1);
        if (second == line.npos) continue;
        std::string const controllers = line.substr(first + 1, second - first - 1);
        if (controllers.empty() == groups.controller.empty() && names(controllers, groups.controller))
            return line.substr(second + 1);
    }
    return "";
}

/// A folder of the hierarchy, and which group it is.
struct Mount {
    fs::path group, folder;
};

/// Where the hierarchy is mounted. Lines of the file are like
/// "32 31 0:28 /group /folder rw,... [tags] - cgroup cgroup rw,memory".
std::optional<Mount> find_mount(fs::path const& root, Groups const& groups) {
    std::ifstream in(root / "proc/self/mountinfo");
    for (std::string line; std::getline(in, line);) {
        auto const words = split(line, ' ');
        auto const dash = std::find(words.begin(), words.end(), "-");
        if (words.size() < 5 || words.end() - dash < 4) continue;
        if (dash[1] == groups.file_system && names(dash[3], groups.controller))
            return Mount{words[3], root / fs::path(words[4]).relative_path()};
    }
    return {};
}

/// What is left in the process's group and in all above it that can be seen.
std::uint64_t left_in(fs::path const& root, Groups const& groups) {
    std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
    auto const mount = find_mount(root, groups);
    std::string const own = own_group(root, groups);
    if (!mount || own.empty()) return left;
    // Inside a container the path may be that of the machine, and the mount only a part of it; or the
    // group lies outside of what is mounted: then the mounted one is all that can be seen.
    fs::path below = fs::path(own).lexically_relative(mount->group);
    if (below.empty() || *below.begin() == "..") below = ".";
    fs::path folder = mount->folder;
    for (auto part = below.begin();; ++part) {
        if (auto const limit = number_in(folder / groups.limit)) {
            auto const used = number_in(folder / groups.usage).value_or(0);
            auto const cache = number_in(folder / "memory.stat", groups.page_cache).value_or(0);
            std::uint64_t const held = used - std::min(used, cache);
            left = std::min(left, *limit - std::min(*limit, held));
        }
        if (part == below.end()) return left;
        folder /= *part;
    }
}

std::uint64_t left_on_machine(fs::path const& root) {
    if (auto const kilobytes = number_in(root / "proc/meminfo", "MemAvailable:"))
        return *kilobytes * 1024;
#if defined(_SC_AVPHYS_PAGES)
    constexpr int pages = _SC_AVPHYS_PAGES;
#else
    constexpr int pages = _SC_PHYS_PAGES;  // macOS says how many there are, not how many are free
#endif
    return std::uint64_t(sysconf(pages)) * std::uint64_t(sysconf(_SC_PAGESIZE));
}

}  // namespace

std::uint64_t available_memory(fs::path const& root) {
    std::uint64_t left = left_on_machine(root);
    for (Groups const& groups : both_groups) left = std::min(left, left_in(root, groups));
    auto const kept = std::uint64_t(kept_memory());  // which the system takes for used
    return left + std::min(kept, std::numeric_limits<std::uint64_t>::max() - left);
}

}}  // namespace zwalk::v0
