-- 25: alternatives of tokens are lists, no longer JSON. A position that was null in the JSON has no
-- list.
alter table raw.token_logprob add column top_tokens varchar[][];

alter table raw.token_logprob alter top_tokens type varchar[][] using list_transform(
    cast(nullif(top_logprobs, 'null') as json []),
    lambda place: json_extract_string(nullif(place, 'null'), '$[*][0]')
);

alter table raw.token_logprob alter top_logprobs type double[][] using list_transform(
    cast(nullif(top_logprobs, 'null') as json []),
    lambda place: cast(json_extract_string(nullif(place, 'null'), '$[*][1]') as double [])
);
