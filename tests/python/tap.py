"""Cases of tests in Python, printed as TAP: check(name, good, details...), then done()."""

cases = failed = 0


def check(name, good, *details):
    global cases, failed
    cases += 1
    failed += not good
    for detail in details if not good else ():
        print(f"# {str(detail)[:400]}")
    print(f"{'ok' if good else 'not ok'} {cases} - python: {name}", flush=True)


def done():
    """The plan; returns the status for the shell."""
    print(f"1..{cases}")
    return failed > 0
