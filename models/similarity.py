"""The table of similarity between pairs of candidates."""

from sqlmodel import Field

from models.base import Row


class PairSimilarity(Row, table=True):
    """One row per unordered pair of candidates and token measure: counts, so SQL can decide."""

    __tablename__ = "pair_similarity"

    pair_id: str = Field(primary_key=True, description="Hash of both candidates and the measure.")
    candidate_a: str = Field(description="The smaller candidate_id; may equal candidate_b.")
    candidate_b: str = Field(description="The larger candidate_id.")
    measure: str = Field(description="scc_v1 (separators dropped) or tokens_v2 (Python tokens).")
    n_shared: int = Field(description="Size of the multiset intersection of tokens.")
    n_tokens_a: int = Field(description="Tokens of candidate_a.")
    n_tokens_b: int = Field(description="Tokens of candidate_b.")
    run_id: str = Field(description="The run that measured it.")
