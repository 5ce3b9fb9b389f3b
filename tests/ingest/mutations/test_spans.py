"""Where each node of a program is: what libCST's own provider of spans says, in characters."""

import sysconfig
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from ingest.mutations.source.spans import written
from ingest.mutations.source.tree import inside

ODD = """\
#!/usr/bin/env python
# größer — 漢字 𝔘

class   Ä( B , metaclass = C ) :  # comment
\tdef é(self,*, ñ = ( "ü" "𝔘" ), ) -> None : pass ; x = (yield)

\tasync def f( self ):
\t\tasync with a as b , c : await ( d )
\t\tasync for ( i , j ) in k : del ( i ) , j
if x : y = lambda : ( ( 1 ) )
elif ( not z ) : print( f"{ x !r:>{ w } } ä" , end = '' )
else :
    match p :
        case { "k" : [ 1 , * r ] , ** q } if r : ...
try : raise E from e
except* ( F , G ) as g : x [ 1 : 2 , ... ] = { ** a , 1 : 2 }
finally : global h
"""

SOURCES = {"odd": ODD, "one line": "x", "empty": "", "only a comment": "# ä"}
MODULES = ("argparse", "ast", "asyncio/base_events", "difflib", "fractions", "typing")


@pytest.mark.parametrize("name", [*SOURCES, *MODULES])
def test_each_node_is_where_libcst_says(name: str) -> None:
    path = Path(sysconfig.get_path("stdlib")) / f"{name}.py"
    source = SOURCES[name] if name in SOURCES else path.read_text(encoding="utf-8")
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    told = wrapper.resolve(ByteSpanPositionProvider)
    text, spans = written(wrapper.module)
    assert text == source
    encoded = source.encode()
    nodes = [node for node in inside(wrapper.module) if node in told]
    assert len(nodes) > 0
    for node in nodes:
        start = len(encoded[: told[node].start].decode())
        end = len(encoded[: told[node].start + told[node].length].decode())
        found = spans[id(node)]
        assert source[slice(*found)] == source[start:end]
        assert found[0] == start
