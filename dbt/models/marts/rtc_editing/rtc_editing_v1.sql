with
{{ round_trip_correctness('rtc_editing', 1) }}

select * from published
