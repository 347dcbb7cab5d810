import type { Logger } from '#shared/kernel';
import { type Metrics, meterRecords } from '#shared/metrics';
import { auditDeletions, type DeletionAuditServices } from '#shared/privacy';
import { recordKind } from '#shared/records';
import { createRecordPasses, createStatus } from '#shared/records/adapters';
import { openItems, type Storage } from '#shared/store';

/** @param settings.metrics if absent, no metrics are emitted. */
export function createRecords(settings: Storage & { readonly metrics?: Metrics }) {
  const { metrics } = settings;
  const items = openItems(settings, recordKind);
  return metrics ? meterRecords(items, metrics) : items;
}

/** Creates the passes through all records. */
export function createRounds(
  settings: Storage,
  services: Omit<DeletionAuditServices, 'status' | 'clock' | 'logger'>,
) {
  const { clock } = settings;
  const status = createStatus(settings);
  return {
    ...createRecordPasses(settings, services.records),
    deletions: (logger: Logger) => auditDeletions({ ...services, status, clock, logger }),
  };
}
