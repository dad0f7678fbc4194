"""For each alert: numbers as its fault makes them, and when it is silent, fires and is silent again.

Numbers are in promtool's notation, one a minute: `1x5 0x10` is six times 1 and eleven times 0, `0+2x10` counts up by 2.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertCase:
    """One fault that begins and ends.

    Attributes:
        alert: the alert's name.
        series: by series, its numbers.
        silent: minutes at which nothing is wrong yet, or not for long enough.
        fires: a minute at which it fires.
        clears: a minute at which it has ended.
        labels: labels of the alert besides its severity.
    """

    alert: str
    series: dict[str, str]
    silent: tuple[int, ...]
    fires: int
    clears: int
    labels: dict[str, str] = field(default_factory=dict)


_SCRAPE = {"job": "slowwave", "instance": "127.0.0.1:9464"}
_UP = 'up{job="slowwave",instance="127.0.0.1:9464"}'
_DREAMS = "slowwave_dreams_ended_total"
_CALLS = "slowwave_model_calls_total"
_HOOKS = "slowwave_webhook_deliveries_total"

CASES: tuple[AlertCase, ...] = (
    AlertCase(
        alert="SlowwaveMetricsDown",
        series={_UP: "1x5 0x10 1x10"},
        silent=(5, 7),
        fires=10,
        clears=18,
        labels=_SCRAPE,
    ),
    AlertCase(  # the server answers, with something else
        alert="SlowwaveMetricsMissing",
        series={_UP: "1x40", 'slowwave_source_up{source="redis"}': "1x5 stale _x14 1x20"},
        silent=(5, 9),
        fires=15,
        clears=22,
    ),
    AlertCase(  # Prometheus has another job
        alert="SlowwaveMetricsMissing",
        series={'slowwave_source_up{source="database"}': "_x10 1x10"},
        silent=(3,),
        fires=8,
        clears=12,
    ),
    AlertCase(
        alert="SlowwaveSweepStale",
        series={"slowwave_last_sweep_timestamp_seconds": "0+60x10 600x10 1260+60x10"},
        silent=(10, 12),
        fires=15,
        clears=25,
    ),
    AlertCase(
        alert="SlowwaveNoWorker",
        series={"slowwave_workers": "2x5 0x10 1x10"},
        silent=(5, 7),
        fires=10,
        clears=18,
    ),
    AlertCase(  # the workers hang: phases stop ending at minute 20
        alert="SlowwaveQueueNotTaken",
        series={
            'slowwave_queue_messages{queue="dream.phase"}': "3x80",
            'slowwave_phases_ended_total{phase="orient",state="done"}': "0+5x20 100x40 105+5x20",
        },
        silent=(19, 35),
        fires=45,
        clears=65,
    ),
    AlertCase(  # no phase has ever ended
        alert="SlowwaveQueueNotTaken",
        series={'slowwave_queue_messages{queue="dream.control"}': "0x5 1x20 0x10"},
        silent=(5, 14),
        fires=20,
        clears=30,
    ),
    AlertCase(
        alert="SlowwaveRedisDown",
        series={'slowwave_source_up{source="redis"}': "1x5 0x10 1x10"},
        silent=(5, 6),
        fires=8,
        clears=18,
        labels={"source": "redis"},
    ),
    AlertCase(
        alert="SlowwaveDatabaseDown",
        series={'slowwave_source_up{source="database"}': "1x5 0x10 1x10"},
        silent=(5, 6),
        fires=8,
        clears=18,
        labels={"source": "database"},
    ),
    AlertCase(
        alert="SlowwaveDatabaseRefuses",
        series={'slowwave_database_refusals_total{why="disk_full"}': "0x5 0+10x10 100x20"},
        silent=(5, 6),
        fires=12,
        clears=26,
        labels={"why": "disk_full"},
    ),
    AlertCase(
        alert="SlowwaveBacklogOld",
        series={"slowwave_oldest_due_age_seconds": "3500x10 4000x30 20x10"},
        silent=(10, 20),
        fires=30,
        clears=45,
    ),
    AlertCase(  # one call in twenty is usual; then one in two
        alert="SlowwaveRateLimited",
        series={
            f'{_CALLS}{{outcome="ok"}}': "0+20x100",
            f'{_CALLS}{{outcome="rate_limited"}}': "0+1x20 40+20x30 640+1x50",
        },
        silent=(20, 24),
        fires=45,
        clears=75,
    ),
    AlertCase(
        alert="SlowwaveDreamStuck",
        series={
            "slowwave_oldest_running_dream_age_seconds": "0+60x50 30x10",
            "slowwave_oldest_queued_dream_age_seconds": "0x70",
        },
        silent=(29, 33),
        fires=40,
        clears=55,
    ),
    AlertCase(
        alert="SlowwaveDreamStuck",
        series={
            "slowwave_oldest_running_dream_age_seconds": "0x70",
            "slowwave_oldest_queued_dream_age_seconds": "0+60x50 0x10",
        },
        silent=(29, 33),
        fires=40,
        clears=55,
    ),
    AlertCase(  # one in ten is usual; then every second one
        alert="SlowwavePartialRateHigh",
        series={
            f'{_DREAMS}{{state="completed"}}': "0+9x200",
            f'{_DREAMS}{{state="partial"}}': "0+1x40 45+5x30 195+1x130",
            f'{_DREAMS}{{state="error"}}': "0x40 4+4x30 124x130",
        },
        silent=(40, 52),
        fires=75,
        clears=120,
    ),
    AlertCase(
        alert="SlowwaveRecallFell",
        series={'slowwave_recall_falls_total{reason="beyond_margin"}': "0x20 1x120"},
        silent=(10, 20),
        fires=30,
        clears=100,
    ),
    AlertCase(
        alert="SlowwaveArmSentBack",
        series={"slowwave_arms_sent_back_total": "0x20 1x120"},
        silent=(10, 20),
        fires=30,
        clears=100,
    ),
    AlertCase(
        alert="SlowwaveStoresQuarantined",
        series={"slowwave_quarantined_stores": "0x10 1x30 0x10"},
        silent=(10, 18),
        fires=30,
        clears=43,
    ),
    AlertCase(
        alert="SlowwavePendingMergesOld",
        series={"slowwave_oldest_pending_merge_age_seconds": f"{7 * 86400 - 1200}+60x120 60x30"},
        silent=(20, 70),
        fires=90,
        clears=130,
    ),
    AlertCase(  # one an hour is usual, as after a pause of a machine
        alert="SlowwaveLostLeases",
        series={'slowwave_lost_leases_total{where="heartbeat"}': "0x30 1x30 1+2x10 21x60"},
        silent=(30, 40),
        fires=70,
        clears=95,
    ),
    AlertCase(
        alert="SlowwaveRescuesSpent",
        series={"slowwave_rescues_spent_total": "0x20 1x100"},
        silent=(20,),
        fires=25,
        clears=90,
    ),
    AlertCase(  # 12 dollars an hour, then 60
        alert="SlowwaveCostRunaway",
        series={"slowwave_model_cost_usd_total": "0+0.2x90 19+1x60 78x90"},
        silent=(60, 90),
        fires=130,
        clears=220,
    ),
    AlertCase(  # a day's budget lasts until midnight, then starts again
        alert="SlowwaveBudgetNearlySpent",
        series={"slowwave_budget_share_used": "0+0.01x90 0x30"},
        silent=(10, 70),
        fires=85,
        clears=95,
    ),
    AlertCase(
        alert="SlowwaveWebhooksNotDelivered",
        series={
            f'{_HOOKS}{{outcome="delivered"}}': "0+5x30 150x60 155+5x60",
            f'{_HOOKS}{{outcome="retried"}}': "0x30 2+2x60 122x60",
        },
        silent=(30, 50),
        fires=85,
        clears=100,
    ),
    AlertCase(  # nothing has ever been delivered
        alert="SlowwaveWebhooksNotDelivered",
        series={f'{_HOOKS}{{outcome="failed"}}': "0x10 2+2x40 82x60"},
        silent=(10, 16),
        fires=40,
        clears=100,
    ),
)
