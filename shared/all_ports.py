"""All ports of a process and its settings, in one value. The ports themselves know no settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.core.tenants.store import Tenant
    from shared.ports.batches import MessageBatches
    from shared.ports.database import Database
    from shared.ports.dispatch import Dispatch
    from shared.ports.evidence.search_log import SearchLog, SearchLogReader
    from shared.ports.llm import Llm, ModelLimits
    from shared.ports.memories import Recall
    from shared.ports.memory_search import Meaning, MemorySearch
    from shared.ports.runtime import ConsoleSessions, DreamLock, Ids, KeptTexts, RateLimit
    from shared.ports.webhooks import Sealer, WebhookSender
    from shared.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The ports through which a process reaches the outside world."""

    settings: Settings
    db: Database
    lock: DreamLock
    dispatch: Dispatch
    ids: Ids
    limits: ModelLimits
    choose_llm: Callable[[Tenant], Llm]
    choose_batches: Callable[[Tenant], MessageBatches | None]
    rates: RateLimit
    search: MemorySearch
    recall: Recall
    searches: SearchLog
    search_log: SearchLogReader
    console_sessions: ConsoleSessions
    kept: KeptTexts
    webhooks: WebhookSender
    sealer: Sealer
    meaning: Meaning | None = None  # without embeddings, words alone decide
    close: Callable[[], None] = lambda: None
