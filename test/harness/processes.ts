import type { Tell } from '#inside/alerts/alerts.ts';
import { OBJECT_TYPES } from '#shared/crm';
import { worstCaseOfRefresh } from '#shared/enrichment';
import { type Policy, propertiesOfRules } from '#shared/field-policy';
import type { Clock, Logger, Random } from '#shared/kernel';
import { createHandler as createReceiver } from '../../functions/receive-webhook/handler.ts';
import { createHandler as createReconciler } from '../../functions/reconcile/handler.ts';
import { createHandler as createRefresher } from '../../functions/refresh-stale/handler.ts';
import { createFuse, type FusePlan } from './fuse.ts';
import { APP_ID, CLIENT_SECRET, WEBHOOK_URL } from './hubspot-portal.ts';
import { gatewayEvent } from './server.ts';
import { skewed } from './skewed-clock.ts';
import { invoking, type Watch } from './watch.ts';
import { createWorkers, type WorkersWish } from './workers.ts';

export interface ProcessesWish extends Omit<WorkersWish, 'common' | 'timeoutMs'> {
  readonly policy: Policy;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly installedAtMs: number;
  readonly knowsOwnApp: boolean;
  readonly watch: Watch | undefined;
  /** Sends alerts to people; no alerts if absent. */
  readonly tell: Tell | undefined;
}

interface SweepPlan {
  readonly strike?: FusePlan | undefined;
  /** How far its wall clock is ahead. */
  readonly skewMs?: number;
  /** Time limit of its Lambda invocation, in milliseconds. If absent, sweeps run one after another in one process. */
  readonly timeoutMs?: number;
}

/** As on AWS. */
export const WORKER_TIMEOUT_MS = 300_000;

/** Composes the functions as on Lambda. */
export function createProcesses(wish: ProcessesWish) {
  const { policy, queues, clock, random, logger, installedAtMs, watch } = wish;
  let made = 0;
  const newId = () => `id-${++made}`;
  const ownAppId = wish.knowsOwnApp ? String(APP_ID) : undefined;
  const common = { policy, installedAtMs, ownAppId, clock, random, newId, logger };
  const scheduled = wish.services({ fuse: createFuse(), clock });
  let sweep: SweepPlan = {};
  const refresher = createRefresher({
    ...scheduled,
    worstCaseCredits: (state) => worstCaseOfRefresh(state, policy),
    ...common,
  });
  const refresh = invoking(watch, 'refresh-stale', refresher);
  const reconcile = () => {
    const fuse = createFuse(clock);
    if (sweep.strike) fuse.arm(sweep.strike);
    const own = skewed(clock, sweep.skewMs ?? 0);
    const services = wish.services({ fuse, clock: own });
    const reconciler = createReconciler({
      ...services,
      ...common,
      breakers: services.storedBreakers,
      clock: own,
      queues,
      tell: wish.tell,
      name: 'crm-enrichment',
      metrics: watch?.metrics,
      askerGraceMs: WORKER_TIMEOUT_MS,
    });
    return invoking(watch, 'reconcile', reconciler)({}, invocation(clock, sweep));
  };
  return {
    ...createWorkers({ ...wish, common, timeoutMs: WORKER_TIMEOUT_MS }),
    receive: behindGateway(
      invoking(
        watch,
        'receive-webhook',
        createReceiver({
          queues,
          clientSecret: async () => CLIENT_SECRET,
          publicUrl: WEBHOOK_URL,
          ownAppId,
          ruleProperties: OBJECT_TYPES.flatMap((type) => propertiesOfRules(policy, type).own),
          clock,
          logger,
        }),
      ),
    ),
    /** Plans faults for all later sweeps. */
    planForSweeps: (wanted: SweepPlan) => {
      sweep = wanted;
    },
    reconcile,
    chooseStale: refresh,
    /** Runs the refresh, and the sweep that admits the chosen records. */
    refresh: async () => {
      const report = await refresh();
      await reconcile();
      return report;
    },
  };
}

function invocation(clock: Clock, { timeoutMs }: SweepPlan) {
  if (timeoutMs === undefined) return undefined;
  const endsAt = clock.monotonic() + timeoutMs;
  return { getRemainingTimeInMillis: () => endsAt - clock.monotonic() };
}

/** Wraps the receiver as API Gateway does. */
function behindGateway(receive: ReturnType<typeof createReceiver>) {
  return async (request: Request): Promise<Response> => {
    const result = await receive(await gatewayEvent(request));
    return new Response(result.body, { status: result.statusCode, headers: result.headers });
  };
}
