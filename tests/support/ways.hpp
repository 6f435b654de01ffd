// How queries are answered, asked for by tests.
#pragma once
#include <cstdlib>

namespace test {

/// Asks for descents, or for walks, whatever the sizes.
class Way {
  public:
    explicit Way(bool descents) { setenv("ZWALK_DESCENTS", descents ? "1" : "0", 1); }
    ~Way() { unsetenv("ZWALK_DESCENTS"); }
    Way(Way const&) = delete;
    Way& operator=(Way const&) = delete;
};

/// Asks for a scan of all pairs for queries that come with their points, or for a tree, whatever the sizes.
class AskedScan {
  public:
    explicit AskedScan(bool scan) { setenv("ZWALK_SCAN", scan ? "1" : "0", 1); }
    ~AskedScan() { unsetenv("ZWALK_SCAN"); }
    AskedScan(AskedScan const&) = delete;
    AskedScan& operator=(AskedScan const&) = delete;
};

}  // namespace test
