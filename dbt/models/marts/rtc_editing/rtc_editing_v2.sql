with
{{ round_trip_correctness('rtc_editing', 2) }}

select * from published
