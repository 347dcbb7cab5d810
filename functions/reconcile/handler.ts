import { OBJECT_TYPES } from '#shared/crm/crm-record.ts';
import { repeatForgets } from '#shared/privacy/forget-person.ts';
import { type AbandonedReport, finishAbandoned } from '#shared/questions/abandoned.ts';
import type { RunAudit } from '#shared/records/audit.ts';
import { auditDaily } from './audit-daily.ts';
import { readBacklog } from './backlog.ts';
import { reopenResolved, requeueDue } from './requeue.ts';
import { resolveOldDoubts } from './resolve-old-doubts.ts';
import type { ReconcileServices } from './services.ts';
import { createSteps } from './steps.ts';
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

const NOTHING: AbandonedReport = { voided: 0, booked: 0, doubts: 0, left: 0 };

/**
 * Finishes what was left open, queues what has waited long enough, finds what no webhook told of. A step that fails
 * keeps none of the others; those that ask nobody outside come first, and the longest last.
 * @throws the first step's error, when all have had their turn.
 */
export function createHandler(services: ReconcileServices) {
  return async (): Promise<ReconcileReport> => {
    const steps = createSteps(services.logger);
    await steps.take('gauges', services.tellGauges, undefined);
    const grace = { graceMs: services.askerGraceMs };
    const abandoned = await steps.take(
      'abandoned',
      () => finishAbandoned(services.questions, grace),
      NOTHING,
    );
    const resolved = await steps.take('doubts', () => resolveOldDoubts(services), 0);
    const reopened = await steps.take('reopened', () => reopenResolved(services), 0);
    const forgotten = await steps.take('forgotten', () => repeatForgets(services.forgetting, grace), 0);
    await steps.take('spend', services.projectSpend, undefined);
    const { requeued, swept } = await queueWork(services, steps);
    const runs = await steps.take('audit', () => auditDaily(services), undefined);
    const counts = { resolved, reopened, requeued, swept, forgotten };
    services.logger.info('reconciled', { counts: { ...abandoned, ...counts } });
    steps.end();
    return { abandoned, ...counts, ...(runs && { runs }) };
  };
}

async function queueWork(services: ReconcileServices, steps: ReturnType<typeof createSteps>) {
  const all = { isFull: () => true };
  const backlog = await steps.take('backlog', () => readBacklog(services), all);
  let requeued = 0;
  for (const state of ['waiting', 'running'] as const)
    requeued += await steps.take(`requeue-${state}`, () => requeueDue(services, state, backlog), 0);
  let swept = 0;
  if (!backlog.isFull('live'))
    for (const objectType of OBJECT_TYPES)
      swept += await steps.take(`sweep-${objectType}`, () => sweepCreated(services, objectType), 0);
  return { requeued, swept };
}
