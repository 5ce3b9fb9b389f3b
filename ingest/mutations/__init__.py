"""The mutations: short name to the module that holds the class, imported when asked for."""

MUTATIONS = {
    "if_else_flip": "ingest.mutations.if_else_flip.mutation",
    "independent_swap": "ingest.mutations.independent_swap.mutation",
    "def_use_break": "ingest.mutations.def_use_break",
    "names_random": "ingest.mutations.names_random",
    "names_shuffle": "ingest.mutations.names_shuffle",
    "for_while": "ingest.mutations.for_while.mutation",
    "operand_swap": "ingest.mutations.operand_swap",
    "dead_code": "ingest.mutations.dead_code",
    "docstring_removal": "ingest.mutations.docstring_removal",
    "names_loop": "ingest.mutations.names_loop",
    "keyword_arguments": "ingest.mutations.keyword_arguments",
}

EDITIONS = (1, 2)
"""1: the paper's mutations and cut; 2: the newest version of every mutation, and of the cut."""
