"""The mutations: short name to the module that holds the class, imported when asked for."""

MUTATIONS = {
    "if_else_flip": "ingest.mutations.if_else_flip",
    "independent_swap": "ingest.mutations.independent_swap",
    "def_use_break": "ingest.mutations.def_use_break",
    "names_random": "ingest.mutations.names_random",
    "names_shuffle": "ingest.mutations.names_shuffle",
}

EDITIONS = (1, 2)
"""1: the paper's mutations and cut; 2: the newest version of every mutation, and of the cut."""
