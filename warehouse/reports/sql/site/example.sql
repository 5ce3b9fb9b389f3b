-- One row per entry of a leaderboard.
select
    lm,
    dataset,
    pass_at_1,
    pass_at_1_lo,
    pass_at_1_hi
from leaderboard
order by dataset asc, pass_at_1 desc
