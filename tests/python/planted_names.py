"""When a name that was found is the one that was planted."""


def same(name, of):
    """The same, perhaps more or less qualified; an error's message may go on."""
    parts = [name.replace(", then ", " -> ").split(" -> "), of.replace(", then ", " -> ").split(" -> ")]
    return of.startswith(name) or (len(parts[0]) == len(parts[1]) and all(
        a == b or a.endswith("." + b) or b.endswith("." + a) for a, b in zip(*parts)))
