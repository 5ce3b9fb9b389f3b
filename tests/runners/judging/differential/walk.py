"""A random walk of two players over shared objects; the sandbox runs this text on both sides.

This file is not imported by tests. As the program, its ``f`` is one player. It changes, keeps and
returns objects within reach of what it is given and of what it has kept. As the tests, it plays
against ``f``. Move by move it plays the same game against a twin of ``f`` that is a plain function
beside it. In the end all objects must look alike: values, types, order of sets and dicts, signs of
zeros, and which of them are one.
"""

import collections
import random

KEYS = (0, 1, 8, 16, 64, -1, -2, 2**61, 2**70, True, False, None, 1.5, -0.0, 0.0)
KEYS += ("", "a", "é", b"x", (), (8, 0), frozenset((24, 8, 0)), frozenset(("a", "b", "c")))
LEAVES = (*KEYS, float("nan"))  # whose hash is its address
MUTABLE = (list, dict, set, bytearray, collections.deque, collections.OrderedDict)
MUTABLE += (collections.Counter, collections.defaultdict)

kept = []


def f(seed, *given):
    """Play one move: change objects in reach, keep one, return one."""
    rng = random.Random(seed)
    reach = reachable([*given, kept])
    for _ in range(rng.randrange(4)):
        change(rng, rng.choice(reach), reach)
    if rng.random() < 0.3:
        kept.append(rng.choice(reach))
    if rng.random() < 0.1:
        raise ValueError(seed, rng.choice(LEAVES))
    answers = [fresh(rng), rng.choice(reach), [rng.choice(reach), rng.choice(reach)]]
    return rng.choice(answers)


def fresh(rng):
    """Return a new object."""
    kind = rng.choice(MUTABLE)
    few = [rng.choice(KEYS) for _ in range(rng.randrange(5))]
    if kind is bytearray:
        return bytearray(b"ab")
    if kind is collections.defaultdict:
        return collections.defaultdict(rng.choice((int, list, None)))
    if kind in (dict, collections.OrderedDict, collections.Counter):
        return kind({key: rng.randrange(9) for key in few})
    if kind is set:
        made = set(few)
        made.update(rng.sample(range(0, 80, 8), 3))
        return made
    if rng.random() < 0.3:
        inner = [few]
        return kind([inner, inner, (few, 1)])
    return kind(few)


def reachable(roots):
    """Return every mutable object in reach, nearest first, each once."""
    found, seen = list(roots), {id(root) for root in roots}
    for value in found:
        for part in parts(value):
            if id(part) not in seen and isinstance(part, (*MUTABLE, tuple)):
                seen.add(id(part))
                found.append(part)
    return [value for value in found if isinstance(value, MUTABLE)]


def parts(value):
    """Return what an object holds that may hold objects."""
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, (list, tuple, collections.deque)) else []


def change(rng, value, reach):
    """Change one object in one way."""
    leaf, other = rng.choice(KEYS), rng.choice((*reach, *LEAVES))
    kind = rng.randrange(4)
    if isinstance(value, bytearray):
        value.append(rng.randrange(256))
    elif isinstance(value, set):
        value.add(leaf)  # what was taken out may still decide the order: see ``explained``
    elif isinstance(value, collections.Counter):
        value[leaf] += 1
    elif isinstance(value, dict):
        if kind == 0 and value:
            value.popitem()
        elif kind == 1 and isinstance(value, collections.defaultdict) and value.default_factory:
            value[leaf]
        elif kind == 2 and leaf in value:
            value[leaf] = value.pop(leaf)
        else:
            value[leaf] = other
    elif kind == 0 and value:
        value.pop()
    elif kind == 1 and len(value) < 20:
        value.extend(rng.choices(LEAVES, k=2))
    elif kind == 2:
        value.reverse()
    elif len(value) < 20:
        value.append(other)


def shape(value, seen):
    """Return an object as text: a number stands for one that was met before."""
    if not isinstance(value, (*MUTABLE, tuple, frozenset)):
        return f"{type(value).__name__} {value!r}"
    if not isinstance(value, (tuple, frozenset)):
        if id(value) in seen:
            return f"#{seen[id(value)]}"
        seen[id(value)] = len(seen)
    name = f"{type(value).__name__} {getattr(value, 'default_factory', '')}"
    if isinstance(value, bytearray):
        return f"{name} {bytes(value)!r}"
    items = [part for pair in value.items() for part in pair] if isinstance(value, dict) else value
    return f"{name}({', '.join(shape(item, seen) for item in items)})"


def play(seed, player, n_moves):
    """Play against one player; return what all objects look like after each move."""
    rng = random.Random(seed)
    objects = [fresh(rng) for _ in range(3)]
    looks = []
    for move in range(n_moves):
        given = rng.choices(objects, k=rng.randrange(4))
        try:
            answer = player(seed * 1000 + move, *given)
        except ValueError as error:
            answer = list(error.args)
        objects.append(answer)
        reach = reachable(objects)
        for _ in range(rng.randrange(3)):
            change(rng, rng.choice(reach), reach)
        looks.append(shape(objects, {}))
    return looks
