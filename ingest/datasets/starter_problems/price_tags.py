# difficulty: medium


def price_tags(history: list[tuple[str, int]]) -> dict[str, str]:
    """Return a tag for each product of a price history: new, up, down or same.

    The tag compares the last price with the one before it for that product; a product
    seen once is new.
    """
    last: dict[str, int] = {}
    tags = {}
    for product, price in history:
        if product not in last:
            tag = "new"
        elif price > last[product]:
            tag = "up"
        elif price < last[product]:
            tag = "down"
        else:
            tag = "same"
        last[product] = price
        tags[product] = tag
    return tags


assert price_tags([]) == {}
assert price_tags([("tea", 5)]) == {"tea": "new"}
assert price_tags([("tea", 5), ("tea", 6)]) == {"tea": "up"}
assert price_tags([("tea", 5), ("rye", 2), ("tea", 5)]) == {"tea": "same", "rye": "new"}
assert price_tags([("a", 1), ("a", 3), ("b", 4), ("a", 2), ("b", 4)]) == {"a": "down", "b": "same"}
