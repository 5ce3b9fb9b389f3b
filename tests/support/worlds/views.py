"""A warehouse with hand-made views, marked as built, for tests of the reading side."""

from warehouse.store.builds import forget_builds, remember_build
from warehouse.store.connection import writing
from warehouse.views.build import fingerprint

# Rank, dataset, language model, simulated, pass@1 with its interval, CSim, samples.
BOARD = """
create or replace table leaderboard_v1 as
select * from (values
    (1::bigint, 'humaneval', 'gpt_4 & co', false, 0.5::double, 0.4::double, 0.6::double,
     0.1::double, 120::bigint, timestamptz '2026-01-02 03:04:05+01'),
    (1, 'humaneval', 'b%#$', false, 0.5, 0.3, 0.7, null, 7, null),
    (3, 'humaneval', 'third{}', false, 0.25, 0.2, 0.3, 0.3, 7, null),
    (1, 'humaneval', 'planted', true, 0.9, 0.8, 0.95, 0.2, 3, null)
) as rows (
    rank, dataset, lm, simulated, pass_at_1, pass_at_1_lo, pass_at_1_hi,
    csim_at_10, n_samples, seen_at
)
"""

STRANGE = 'we"ird; drop table leaderboard_v1; --'


def make_views(*, strange: bool = False) -> None:
    """Create leaderboard_v1 and leaderboard, and say that they are of these rows."""
    with writing() as con:
        con.execute(BOARD)
        con.execute("create or replace view leaderboard as select * from main.leaderboard_v1")
        if strange:
            quoted = STRANGE.replace('"', '""')
            con.execute(f'create or replace table "{quoted}" as select 1 as "a""b; --"')
    mark_built()


def mark_built() -> None:
    """Record a build of the rows as they are now."""
    with writing() as con:
        forget_builds(con)
        remember_build(con, fingerprint(con), seconds=1, n_views=1, n_tests=1)
