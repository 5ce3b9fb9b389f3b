# difficulty: medium


def apple_grades(weights: list[int], spots: list[int]) -> dict[str, int]:
    """Count apples by grade: A, B, C, and juice for the rest.

    An apple begins at A. Under 120 grams it drops one grade, under 80 two. More than 2
    spots drop it one grade, more than 5 two. The lists have the same length.
    """
    counts = {"A": 0, "B": 0, "C": 0, "juice": 0}
    for weight, n_spots in zip(weights, spots, strict=True):
        drop = 0
        if weight < 80:
            drop = 2
        elif weight < 120:
            drop = 1
        if n_spots > 5:
            drop += 2
        elif n_spots > 2:
            drop += 1
        grade = "ABC"[drop] if drop < 3 else "juice"
        counts[grade] += 1
    return counts


assert apple_grades([], []) == {"A": 0, "B": 0, "C": 0, "juice": 0}
assert apple_grades([120], [2]) == {"A": 1, "B": 0, "C": 0, "juice": 0}
assert apple_grades([119, 80], [0, 3]) == {"A": 0, "B": 1, "C": 1, "juice": 0}
assert apple_grades([79, 79], [3, 2]) == {"A": 0, "B": 0, "C": 1, "juice": 1}
assert apple_grades([200, 200, 60], [6, 5, 9]) == {"A": 0, "B": 1, "C": 1, "juice": 1}
