import { DAY_MS } from '../../shared/kernel/clock.ts';
import { auditRuns, type RunAudit } from '../../shared/records/audit.ts';
import type { ReconcileDeps } from './deps.ts';

const CURSOR = 'audit#runs';

/** Once a day: it reads every record. @returns nothing where the last one is younger. */
export async function auditDaily(deps: ReconcileDeps): Promise<RunAudit | undefined> {
  const { cursors, records, clock, logger } = deps;
  const stored = await cursors.read(CURSOR);
  const nowMs = clock.now();
  if (stored && nowMs < stored.value.fromMs + DAY_MS) return undefined;
  // Before it begins: one that is cut off is not begun anew by each sweep, but tomorrow.
  await cursors.write({ key: CURSOR, value: { fromMs: nowMs }, expectedVersion: stored?.version ?? 0 });
  const audit = await auditRuns(records);
  const { guilty, ...counts } = audit;
  if (audit.lost > 0) for (const recordId of guilty) logger.error('runs-lost', { recordId });
  logger.info('runs-audited', { counts });
  return audit;
}
