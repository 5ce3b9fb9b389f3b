-- Written by `make dbt` from models/; a test fails when it is stale.
select
    claim_file_id,
    claim_source_id,
    name,
    sha256,
    about,
    run_id,
from {{ source('raw', 'claim_file') }}
