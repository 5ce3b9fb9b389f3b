# difficulty: medium


def recipe_scale(recipe: dict[str, int], stock: dict[str, int]) -> tuple[int, dict[str, int]]:
    """Return how many times a recipe can be made from the stock, and the stock left.

    Amounts in the recipe are positive. What is used up stays in the stock with 0. A
    recipe without ingredients is made 0 times.
    """
    times = 0
    limited = False
    for name, amount in recipe.items():
        possible = stock.get(name, 0) // amount
        if not limited or possible < times:
            times = possible
        limited = True
    left = dict(stock)
    for name, amount in recipe.items():
        if name in left:
            left[name] -= amount * times
    return times, left


assert recipe_scale({}, {"egg": 3}) == (0, {"egg": 3})
assert recipe_scale({"egg": 2}, {"egg": 5}) == (2, {"egg": 1})
assert recipe_scale({"egg": 2, "milk": 10}, {"egg": 5}) == (0, {"egg": 5})
assert recipe_scale({"a": 1, "b": 3}, {"a": 4, "b": 9, "c": 1}) == (3, {"a": 1, "b": 0, "c": 1})
assert recipe_scale({"b": 3, "a": 1}, {"a": 2, "b": 9}) == (2, {"a": 0, "b": 3})
