with
{{ round_trip_correctness('rtc_synthesis', 2) }}

select * from published
