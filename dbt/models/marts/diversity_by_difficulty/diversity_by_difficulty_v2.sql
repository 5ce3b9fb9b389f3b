with
{{ diversity_by_difficulty(version=2, measures=['sim', 'csim', 'dpass', 'dpair']) }}

select * from published
