-- One row per capability of an endpoint, as the last probe found it.
select
    endpoint_capability.capability,
    endpoint_capability.supported
from raw.endpoint_capability as endpoint_capability
inner join raw.run as run on endpoint_capability.run_id = run.run_id
where endpoint_capability.endpoint_id = $endpoint_id
qualify run.started_at = max(run.started_at) over ()
