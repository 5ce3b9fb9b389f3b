-- 25: alternatives of tokens are lists, no longer JSON. A position that was null in the JSON has no
-- list. DuckDB cannot replay a log that has `alter ... using` with a function. So a new table is
-- filled, and the file that a killed process leaves can be opened.
create table raw.token_logprob_new (
    generation_id varchar not null,
    tokens varchar[] not null,
    logprobs double[] not null,
    kept boolean[] not null,
    top_logprobs double[][],
    cumulative_logprob double,
    run_id varchar not null,
    top_tokens varchar[][],
    primary key (generation_id)
);

insert into raw.token_logprob_new
select
    generation_id,
    tokens,
    logprobs,
    kept,
    list_transform(
        cast(nullif(top_logprobs, 'null') as json []),
        lambda place: cast(json_extract_string(nullif(place, 'null'), '$[*][1]') as double [])
    ) as top_logprobs,
    cumulative_logprob,
    run_id,
    list_transform(
        cast(nullif(top_logprobs, 'null') as json []),
        lambda place: json_extract_string(nullif(place, 'null'), '$[*][0]')
    ) as top_tokens
from raw.token_logprob;

drop table raw.token_logprob;

alter table raw.token_logprob_new rename to token_logprob;
