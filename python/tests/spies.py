"""What a tree asks of the compiled module."""


def spied(tree):
    """Names of the functions that a tree calls from now on, as it calls them."""
    called, index = [], tree._index

    class Spy:
        def __getattr__(self, name):
            called.append(name)
            return getattr(index, name)

    tree._index = Spy()
    return called
