-- One row per named program: its text.
select
    program.program_id,
    candidate.source
from raw.program as program
inner join raw.candidate as candidate on program.candidate_id = candidate.candidate_id
where program.program_id in (select unnest(cast($program_ids as varchar[])))
