// How queries are answered, asked for by tests.
#pragma once
#include <cstdlib>

namespace test {

/// As long as it lives, a variable of the environment is 1 or 0.
class Asked {
  public:
    Asked(char const* variable, bool on) : variable_(variable) { setenv(variable, on ? "1" : "0", 1); }
    ~Asked() { unsetenv(variable_); }
    Asked(Asked const&) = delete;
    Asked& operator=(Asked const&) = delete;

  private:
    char const* variable_;
};

/// Asks for descents, or for walks, whatever the sizes.
struct AskedDescents : Asked {
    explicit AskedDescents(bool descents) : Asked("ZWALK_DESCENTS", descents) {}
};
/// Asks for a scan of all pairs for queries that come with their points, or for a tree, whatever the sizes.
struct AskedScan : Asked {
    explicit AskedScan(bool scan) : Asked("ZWALK_SCAN", scan) {}
};
/// Asks for all pairs in a tree's order, or for the walk, whatever the points.
struct AskedAllPairs : Asked {
    explicit AskedAllPairs(bool all_pairs) : Asked("ZWALK_ALL_PAIRS", all_pairs) {}
};
/// Asks for hierarchies on the device that has the tree, or on the host, whatever the sizes.
struct AskedHierarchy : Asked {
    explicit AskedHierarchy(bool on_device) : Asked("ZWALK_DEVICE_HIERARCHY", on_device) {}
};

}  // namespace test
