with
{{ strategies(version=1, measures=['sim', 'csim', 'dpass']) }}

select * from published
