# difficulty: medium


def morse_gaps(signal: str) -> str:
    """Turn a sampled light signal into dots, dashes and letter breaks.

    The signal has ``1`` (light) and ``0`` (dark) samples. One or two lights in a row are a
    dot, more are a dash. Three or more darks between lights are a break, written ``/``.
    """
    out: list[str] = []
    lights = 0
    darks = 0
    for sample in signal + "0":
        if sample == "1":
            if darks >= 3 and out:
                out.append("/")
            darks = 0
            lights += 1
        else:
            if lights > 2:
                out.append("-")
            elif lights > 0:
                out.append(".")
            lights = 0
            darks += 1
    return "".join(out)


assert morse_gaps("") == ""
assert morse_gaps("0001") == "."
assert morse_gaps("11011101") == ".-."
assert morse_gaps("1000111") == "./-"
assert morse_gaps("111100100011000") == "-./."
