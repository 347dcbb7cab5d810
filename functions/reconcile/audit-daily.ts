import { DAY_MS } from '#shared/kernel/clock.ts';
import { auditRuns, type RunAudit } from '#shared/records/audit.ts';
import { change } from '#shared/versioned-items/change.ts';
import type { ReconcileServices } from './services.ts';

/** Once a day: it reads every record. @returns nothing where the last one is younger. */
export async function auditDaily(services: ReconcileServices): Promise<RunAudit | undefined> {
  const { cursors, records, clock, logger } = services;
  const nowMs = clock.now();
  // Before it begins: one that is cut off is not begun anew by each sweep, but tomorrow.
  const begun = await change(cursors, { key: 'audit#runs', kind: 'time of the last audit', clock }, (last) =>
    last && nowMs < last.fromMs + DAY_MS ? {} : { value: { fromMs: nowMs } },
  );
  if (!begun.value) return undefined;
  const audit = await auditRuns(records);
  const { guilty, ...counts } = audit;
  if (audit.lost > 0) for (const recordId of guilty) logger.error('runs-lost', { recordId });
  logger.info('runs-audited', { counts });
  return audit;
}
