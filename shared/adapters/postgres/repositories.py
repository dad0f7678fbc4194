"""Every repository, imported at once: by processes that stay, so that no request and no forked child pays for it later."""

from shared.adapters.postgres.dreams.asked import PostgresAskedRepository
from shared.adapters.postgres.dreams.batch_calls import PostgresBatchCallRepository, PostgresBatchQueue
from shared.adapters.postgres.dreams.calls import PostgresCallRepository
from shared.adapters.postgres.dreams.dreams import PostgresDreamRepository
from shared.adapters.postgres.dreams.evaluations import (
    PostgresEvaluationQueue,
    PostgresEvaluationRepository,
    PostgresProbeRepository,
)
from shared.adapters.postgres.dreams.exams import PostgresExamRepository
from shared.adapters.postgres.dreams.operations import PostgresOperationRepository
from shared.adapters.postgres.dreams.orders import PostgresOrderRepository
from shared.adapters.postgres.dreams.phases import PostgresPhaseFactsRepository, PostgresPhaseRepository
from shared.adapters.postgres.dreams.saved_filters import PostgresSavedFilterRepository
from shared.adapters.postgres.dreams.sweeps import PostgresAdmissionRepository, PostgresSweepRepository
from shared.adapters.postgres.dreams.verdicts import PostgresVerdictRepository
from shared.adapters.postgres.memories.api_lists import PostgresMemoryListing
from shared.adapters.postgres.memories.catalog import PostgresMemoryCatalogRepository
from shared.adapters.postgres.memories.forgetting import PostgresForgetRepository
from shared.adapters.postgres.memories.learned import PostgresLearnedRepository
from shared.adapters.postgres.memories.links import PostgresLinkRepository
from shared.adapters.postgres.memories.maintenance import PostgresMaintenanceRepository
from shared.adapters.postgres.memories.pending_merges import PostgresPendingMergeRepository
from shared.adapters.postgres.memories.recall import PostgresRecallRepository
from shared.adapters.postgres.memories.store import PostgresMemoryRepository
from shared.adapters.postgres.memories.tree import PostgresMemoryTreeRepository
from shared.adapters.postgres.memories.vectors import PostgresVectorRepository
from shared.adapters.postgres.memories.writes import write_kept, write_whole
from shared.adapters.postgres.sessions.api_lists import PostgresSessionListing
from shared.adapters.postgres.sessions.chosen import PostgresChosenSessions
from shared.adapters.postgres.sessions.feedback import PostgresFeedbackRepository, PostgresWorkflowRepository
from shared.adapters.postgres.sessions.gather import PostgresGatherRepository
from shared.adapters.postgres.sessions.ingest import PostgresIngestRepository
from shared.adapters.postgres.sessions.search_log import PostgresSearchLogWriter
from shared.adapters.postgres.sessions.sessions import PostgresSessionRepository
from shared.adapters.postgres.sessions.skill_uses import PostgresSkillRepository
from shared.adapters.postgres.tenants.activity import PostgresActivityRepository
from shared.adapters.postgres.tenants.api_lists import PostgresStoreListing
from shared.adapters.postgres.tenants.audit import PostgresAuditRepository
from shared.adapters.postgres.tenants.budgets import PostgresBudgetRepository
from shared.adapters.postgres.tenants.directives import PostgresDirectiveRepository
from shared.adapters.postgres.tenants.installation import PostgresInstallationRepository
from shared.adapters.postgres.tenants.keys import PostgresKeyRepository
from shared.adapters.postgres.tenants.operators import PostgresOperatorRepository
from shared.adapters.postgres.tenants.purge import PostgresPurgeRepository
from shared.adapters.postgres.tenants.requests import PostgresRequestRepository
from shared.adapters.postgres.tenants.statistics import PostgresStatisticsRepository
from shared.adapters.postgres.tenants.stores import PostgresStoreRepository
from shared.adapters.postgres.webhooks.deliveries import PostgresDeliveryRepository
from shared.adapters.postgres.webhooks.endpoints import PostgresDeliveryQueue, PostgresEndpointRepository

__all__ = [
    "PostgresActivityRepository",
    "PostgresAdmissionRepository",
    "PostgresAskedRepository",
    "PostgresAuditRepository",
    "PostgresBatchCallRepository",
    "PostgresBatchQueue",
    "PostgresBudgetRepository",
    "PostgresCallRepository",
    "PostgresChosenSessions",
    "PostgresDeliveryQueue",
    "PostgresDeliveryRepository",
    "PostgresDirectiveRepository",
    "PostgresDreamRepository",
    "PostgresEndpointRepository",
    "PostgresEvaluationQueue",
    "PostgresEvaluationRepository",
    "PostgresExamRepository",
    "PostgresFeedbackRepository",
    "PostgresForgetRepository",
    "PostgresGatherRepository",
    "PostgresIngestRepository",
    "PostgresInstallationRepository",
    "PostgresKeyRepository",
    "PostgresLearnedRepository",
    "PostgresLinkRepository",
    "PostgresMaintenanceRepository",
    "PostgresMemoryCatalogRepository",
    "PostgresMemoryListing",
    "PostgresMemoryRepository",
    "PostgresMemoryTreeRepository",
    "PostgresOperationRepository",
    "PostgresOperatorRepository",
    "PostgresOrderRepository",
    "PostgresPendingMergeRepository",
    "PostgresPhaseFactsRepository",
    "PostgresPhaseRepository",
    "PostgresProbeRepository",
    "PostgresPurgeRepository",
    "PostgresRecallRepository",
    "PostgresRequestRepository",
    "PostgresSavedFilterRepository",
    "PostgresSearchLogWriter",
    "PostgresSessionListing",
    "PostgresSessionRepository",
    "PostgresSkillRepository",
    "PostgresStatisticsRepository",
    "PostgresStoreListing",
    "PostgresStoreRepository",
    "PostgresSweepRepository",
    "PostgresVectorRepository",
    "PostgresVerdictRepository",
    "PostgresWorkflowRepository",
    "write_kept",
    "write_whole",
]
