"""The mutations: short name to every version, oldest first, imported when asked for."""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from ingest.mutations.base import Mutation

MUTATIONS: "Registry[tuple[type[Mutation], ...]]" = Registry(
    "mutation",
    {
        "if_else_flip": "ingest.mutations.if_else_flip.mutation:VERSIONS",
        "independent_swap": "ingest.mutations.independent_swap.mutation:VERSIONS",
        "def_use_break": "ingest.mutations.def_use_break:VERSIONS",
        "names_random": "ingest.mutations.names_random:VERSIONS",
        "names_shuffle": "ingest.mutations.names_shuffle:VERSIONS",
        "for_while": "ingest.mutations.for_while.mutation:VERSIONS",
        "operand_swap": "ingest.mutations.operand_swap:VERSIONS",
        "dead_code": "ingest.mutations.dead_code:VERSIONS",
        "docstring_removal": "ingest.mutations.docstring_removal:VERSIONS",
        "names_loop": "ingest.mutations.names_loop:VERSIONS",
        "keyword_arguments": "ingest.mutations.keyword_arguments:VERSIONS",
    },
    group="assay.mutations",
    of="ingest.mutations.base:Mutation",
    named="name",
)
