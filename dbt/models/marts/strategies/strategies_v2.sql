with
{{ strategies(version=2, measures=['sim', 'csim', 'dpass', 'dpair']) }}

select * from published
