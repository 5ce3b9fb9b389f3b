with source_rows as (
    select
        run_id,
        kind,
        started_at,
        code_version,
        git_commit,
        cast(git_dirty as boolean) as git_dirty,
        settings,
        inputs,
        host,
    from {{ source('raw', 'run') }}
)

select * from source_rows
