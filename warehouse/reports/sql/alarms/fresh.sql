-- One row per metric of a subject with a new alarm. Where the subject had one the night before,
-- its other metrics show that change again, and are left out.
with nights_with_alarm as (
    select distinct
        subject_id,
        night_no
    from alerts
    where state = 'alarm'
)

select
    alerts.run_id,
    alerts.subject_id,
    alerts.metric,
    coalesce(alerts.lm, 'references') as who,
    alerts.dataset,
    alerts.setting,
    alerts.night_no,
    alerts.is_newest,
    alerts.value,
    alerts.reference_value,
    alerts.direction,
    alerts.n_problems,
    alerts.e_value,
    alerts.threshold,
    alerts.detail
from alerts
anti join nights_with_alarm
    on
        alerts.subject_id = nights_with_alarm.subject_id
        and alerts.night_no - 1 = nights_with_alarm.night_no
where alerts.is_new
order by alerts.started_at, alerts.subject_id, alerts.metric
