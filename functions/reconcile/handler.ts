import { repeatForgets } from '../../shared/privacy/forget-person.ts';
import { type AbandonedReport, finishAbandoned } from '../../shared/questions/abandoned.ts';
import type { RunAudit } from '../../shared/records/audit.ts';
import { OBJECT_TYPES } from '../../shared/records/crm-record.ts';
import { auditDaily } from './audit-daily.ts';
import { readBacklog } from './backlog.ts';
import type { ReconcileDeps } from './deps.ts';
import { reopenResolved, requeueDue } from './requeue.ts';
import { resolveOldDoubts } from './resolve-old-doubts.ts';
import { sweepCreated } from './sweep.ts';

export interface ReconcileReport {
  readonly abandoned: AbandonedReport;
  /** Doubts that the policy resolved as charged because of their age. */
  readonly resolved: number;
  /** Records that had failed because of a doubt which is resolved now. */
  readonly reopened: number;
  /** Deferred records whose time has come, and records whose worker is gone. */
  readonly requeued: number;
  /** Records that HubSpot has and no webhook told of. */
  readonly swept: number;
  /** Forgettings gone through once more, after whoever was at work meanwhile. */
  readonly forgotten: number;
  /** Once a day: whether every run that was opened is somewhere. */
  readonly runs?: RunAudit | undefined;
}

/** Finishes what was left open, queues what has waited long enough, finds what no webhook told of. */
export function createHandler(deps: ReconcileDeps) {
  return async (): Promise<ReconcileReport> => {
    const abandoned = await finishAbandoned(deps.questions, { graceMs: deps.askerGraceMs });
    const resolved = await resolveOldDoubts(deps);
    const reopened = await reopenResolved(deps);
    const backlog = await readBacklog(deps);
    const requeued =
      (await requeueDue(deps, 'waiting', backlog)) + (await requeueDue(deps, 'running', backlog));
    let swept = 0;
    if (!backlog.isFull('live'))
      for (const objectType of OBJECT_TYPES) swept += await sweepCreated(deps, objectType);
    const forgotten = await repeatForgets(deps.forgetting, { graceMs: deps.askerGraceMs });
    await deps.projectSpend();
    const runs = await auditDaily(deps);
    const counts = { resolved, reopened, requeued, swept, forgotten };
    deps.logger.info('reconciled', { counts: { ...abandoned, ...counts } });
    return { abandoned, ...counts, ...(runs && { runs }) };
  };
}
