with
{{ round_trip_correctness('rtc_synthesis', 1) }}

select * from published
