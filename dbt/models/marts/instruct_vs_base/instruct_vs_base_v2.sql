{{ instruct_vs_base(version=2) }}
