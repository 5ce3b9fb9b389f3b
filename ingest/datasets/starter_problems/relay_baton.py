# difficulty: easy


def relay_baton(runners: list[str], dropped_by: set[str]) -> str | None:
    """Return who carries the baton home, or None when it is lost.

    Each runner takes the baton from the one before. A runner in ``dropped_by`` drops it
    once; the second drop of the race loses it. Nobody to run means no baton.
    """
    carrier = None
    drops = 0
    for runner in runners:
        carrier = runner
        if runner in dropped_by:
            drops += 1
        if drops == 2:
            return None
    return carrier


assert relay_baton([], set()) is None
assert relay_baton(["Ann", "Bo"], set()) == "Bo"
assert relay_baton(["Ann", "Bo", "Cy"], {"Bo"}) == "Cy"
assert relay_baton(["Ann", "Bo", "Cy"], {"Ann", "Bo"}) is None
assert relay_baton(["Ann"], {"Ann"}) == "Ann"
