with
{{ rtc_by_project(2) }}

select * from published
