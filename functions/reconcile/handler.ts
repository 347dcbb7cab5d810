import { type AbandonedReport, finishAbandoned } from '../../shared/questions/abandoned.ts';
import { OBJECT_TYPES } from '../../shared/records/crm-record.ts';
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
}

/** Finishes what was left open, queues what has waited long enough, finds what no webhook told of. */
export function createHandler(deps: ReconcileDeps) {
  return async (): Promise<ReconcileReport> => {
    const abandoned = await finishAbandoned(deps.questions, { graceMs: deps.askerGraceMs });
    const resolved = await resolveOldDoubts(deps);
    const reopened = await reopenResolved(deps);
    const requeued = (await requeueDue(deps, 'waiting')) + (await requeueDue(deps, 'running'));
    let swept = 0;
    for (const objectType of OBJECT_TYPES) swept += await sweepCreated(deps, objectType);
    await deps.projectSpend();
    deps.logger.info('reconciled', { counts: { ...abandoned, resolved, reopened, requeued, swept } });
    return { abandoned, resolved, reopened, requeued, swept };
  };
}
