with
{{ diversity_by_difficulty(version=1, measures=['sim', 'csim', 'dpass']) }}

select * from published
