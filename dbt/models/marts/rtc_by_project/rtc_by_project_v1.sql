with
{{ rtc_by_project(1) }}

select * from published
