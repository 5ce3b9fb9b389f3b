# difficulty: easy


def shelf_labels(words: list[str], width: int) -> list[str]:
    """Fit each word to a label of exactly ``width`` characters.

    A short word is filled with dots on the right. A long one is cut so that its last
    character is a tilde.
    """
    labels = []
    for word in words:
        missing = width - len(word)
        if missing >= 0:
            dots = "." * missing
            label = word + dots
        else:
            beginning = word[: width - 1]
            label = beginning + "~"
        labels.append(label)
    return labels


assert shelf_labels([], 4) == []
assert shelf_labels(["tea"], 5) == ["tea.."]
assert shelf_labels(["salt"], 4) == ["salt"]
assert shelf_labels(["cinnamon", ""], 4) == ["cin~", "...."]
assert shelf_labels(["ab"], 1) == ["~"]
