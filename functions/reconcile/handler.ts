import { type AlertServices, createAlerts } from '#shared/alerts';
import type { BooksCheck } from '#shared/credit-ledger';
import { type Crm, isHubSpotFailure, LANES, OBJECT_TYPES } from '#shared/crm';
import { cheapestQuestion, dearestCredits, type StepServices, type SweepStep } from '#shared/enrichment';
import { type HomeServices, keepHome } from '#shared/home';
import { errorCode, type Logger, refuseWrongClock } from '#shared/kernel';
import {
  createHubSpotGauges,
  type GaugeSources,
  type HubSpotGaugeSources,
  type Metrics,
  measure,
  readGauges,
} from '#shared/metrics';
import type { DeletionCounts } from '#shared/privacy';
import {
  type AbandonedReport,
  type ForgetServices,
  finishAbandoned,
  repeatForgets,
  resolveOldDoubts,
  type SweptQuestions,
} from '#shared/questions';
import { type PassPart, type RunSum, sweepCreated } from '#shared/records';
import { completeActions, type RequestItems } from '#shared/requests';
import type { SpendBook } from '#shared/spend';
import {
  admitWaiting,
  affordable,
  type Backlog,
  OLDEST_SHARE,
  type Resumed,
  readBacklog,
  reopenResolved,
  requeueDue,
  resumeWaiting,
  type SweepServices,
  underLease,
  workPaceFor,
} from '#shared/work-queue';

/** The parts of the app that the steps of a sweep use, and facts of this installation. */
export type ReconcileServices = Omit<
  SweepServices & AlertServices & GaugeSources,
  // The handler reads these in the policy.
  'cheapestCredits' | 'dearestCredits' | 'timeZone'
> &
  HubSpotGaugeSources &
  StepServices &
  HomeServices & {
    /** The extensions' parts of a sweep. */
    readonly sweepSteps: readonly SweepStep[];
    readonly questions: SweptQuestions;
    readonly forgetting: ForgetServices;
    readonly crm: Crm;
    /** Executions of the workflow's action whose end was not reported to HubSpot yet. */
    readonly requests: RequestItems;
    readonly spendBook: SpendBook;
    /** Verifies the newest ledger entries. */
    readonly checkBooks: () => Promise<BooksCheck>;
    /** Passes through the records. Each call continues its pass, if one is due. */
    readonly rounds: {
      readonly audit: () => Promise<PassPart<RunSum> | undefined>;
      readonly count: () => Promise<void>;
      /** Looks for contacts that HubSpot deleted without an event. */
      readonly deletions: (logger: Logger) => Promise<DeletionCounts | undefined>;
    };
    readonly installedAtMs: number;
    /** How long after a request's deadline its worker may still store an answer: the longest lifetime of a function. */
    readonly askerGraceMs: number;
    /** If absent, no gauges are read. */
    readonly metrics?: Metrics | undefined;
    /** The stack that the commands in the home page's texts name; absent on one machine. */
    readonly stack?: string | undefined;
  };

export interface ReconcileReport {
  readonly abandoned: AbandonedReport;
  /** Doubts that the policy resolved as charged because of their age. */
  readonly resolved: number;
  /** Records that had failed because of a doubt. They were reopened, because the doubt is resolved. */
  readonly reopened: number;
  /** Records that were queued, because they were due, were admitted, or had lost their worker. */
  readonly requeued: number;
  /** New records that the sweep found and no webhook reported. */
  readonly swept: number;
  /** Executions of the workflow's action whose end was reported to HubSpot. */
  readonly completed: number;
  /** Privacy deletions that were repeated after all workers of that time had ended. */
  readonly forgotten: number;
  /** Sums of the runs, if a pass of the audit has ended. Every opened run must be accounted for. */
  readonly runs?: RunSum | undefined;
}

/** Lambda's context. Absent on a laptop, where one process runs one sweep at a time and needs no lease. */
interface InvocationContext {
  getRemainingTimeInMillis(): number;
}

const NOTHING: AbandonedReport = { voided: 0, booked: 0, doubts: 0, left: 0 };

const SKIPPED: ReconcileReport = {
  abandoned: NOTHING,
  resolved: 0,
  reopened: 0,
  requeued: 0,
  swept: 0,
  completed: 0,
  forgotten: 0,
};

/**
 * Finishes open work, queues due records, and finds records whose webhook never came. A failed step does not stop the
 * others. Steps without outside requests come first, and the longest step last. Each step reads a bounded number of
 * records and entries. The next sweep continues.
 * @throws the first error that was not a HubSpot failure, after all steps have run. Throws UpstreamError `CLOCK_WRONG`
 * before the first step.
 */
export function createHandler(given: ReconcileServices) {
  const services = prepared(given);
  return async (_event?: unknown, context?: InvocationContext): Promise<ReconcileReport> => {
    const steps = createSteps(services.logger);
    // First, because other steps can take long.
    await steps.take('gauges', async () => services.metrics?.emit(await readGauges(services)), undefined);
    // With a fast clock, the search for new records would also skip records that are created later.
    refuseWrongClock(services.questions);
    const sweep = () => takeSteps(services, steps);
    const report = context
      ? await underLease(services, context.getRemainingTimeInMillis(), sweep)
      : await sweep();
    if (!report) services.logger.info('sweep-skipped', { reason: 'Another sweep is running.' });
    steps.end();
    return report ?? SKIPPED;
  };
}

/** Adds what the policy says, and the steps that remember what an earlier sweep of this process did. */
function prepared(given: ReconcileServices) {
  const { policy } = given;
  const priced = {
    ...given,
    cheapestCredits: cheapestQuestion(policy),
    dearestCredits: dearestCredits(policy),
    timeZone: policy.timeZone,
  };
  return {
    ...priced,
    sendAlerts: createAlerts(priced),
    readHubSpotGauges: createHubSpotGauges(given),
  };
}

type Prepared = ReturnType<typeof prepared>;

async function takeSteps(
  services: Prepared,
  steps: ReturnType<typeof createSteps>,
): Promise<ReconcileReport> {
  const grace = { graceMs: services.askerGraceMs };
  const abandoned = await steps.take('abandoned', () => finishAbandoned(services.questions, grace), NOTHING);
  const old = { afterHours: services.policy.doubtsChargedAfterHours, ...grace };
  const resolved = await steps.take('doubts', () => resolveOldDoubts(services.questions, old), 0);
  await steps.take('alerts', services.sendAlerts, undefined);
  const reopened = await steps.take('reopened', () => reopenResolved(services), 0);
  const forgotten = await steps.take('forgotten', () => repeatForgets(services.forgetting, grace), 0);
  await steps.take('spend', services.spendBook.project, undefined);
  await steps.take('home', () => keepHome(services), undefined);
  await steps.take('books', () => checkBooks(services), undefined);
  const completed = await steps.take(
    'actions',
    () => completeActions(services, nextOfWorkflows(services)),
    0,
  );
  const { requeued, swept } = await queueWork(services, steps);
  await steps.take('count', services.rounds.count, undefined);
  const runs = await steps.take('audit', () => auditRuns(services), undefined);
  await steps.take('deletions', () => auditDeletions(services), undefined);
  await takeExtensions(services, steps, 'last');
  const counts = { resolved, reopened, requeued, swept, forgotten, completed };
  services.logger.info('reconciled', { counts: { ...abandoned, ...counts } });
  return { abandoned, ...counts, ...(runs && { runs }) };
}

/** Takes the steps of the extensions that belong here. */
async function takeExtensions(
  services: Prepared,
  steps: ReturnType<typeof createSteps>,
  here: SweepStep['place'],
): Promise<void> {
  for (const { name, place, take } of services.sweepSteps)
    if (place === here) await steps.take(name, () => take(services), undefined);
}

function nextOfWorkflows(services: Prepared) {
  return {
    count: async () => affordable(services, await services.questions.ledger.now(), 'workflow'),
    placesAnOldest: OLDEST_SHARE,
  };
}

async function queueWork(services: Prepared, steps: ReturnType<typeof createSteps>) {
  const fullBacklog: Backlog = {
    room: new Map(LANES.map((lane) => [lane, 0])),
    bound: new Map(),
    queued: Number.POSITIVE_INFINITY,
    // The minimum is used, because the rate may be unreadable.
    dueInSweep: workPaceFor(0).dueInSweep,
  };
  const backlog = await steps.take('backlog', () => readBacklog(services), fullBacklog);
  let requeued = 0;
  for (const state of ['waiting', 'running'] as const)
    requeued += await steps.take(`requeue-${state}`, () => requeueDue(services, state, backlog), 0);
  let swept = 0;
  let hubSpotAnswers = (await services.crm.pausedUntil('bulk')) === undefined;
  for (const objectType of OBJECT_TYPES) {
    const found = await steps.take(
      `sweep-${objectType}`,
      () => sweepCreated(services, objectType, backlog),
      undefined,
    );
    hubSpotAnswers &&= found !== undefined;
    swept += found ?? 0;
  }
  // If HubSpot does not answer, the sweep must not wait for it a second time.
  if (hubSpotAnswers)
    await steps.take(
      'hubspot-gauges',
      async () => services.metrics?.emit(await services.readHubSpotGauges()),
      undefined,
    );
  await takeExtensions(services, steps, 'admission');
  const none: Resumed = { due: 0, untried: [] };
  const { untried } = await steps.take(
    'resume',
    () => resumeWaiting(services, { hubSpotAnswers, ...backlog }),
    none,
  );
  requeued += await steps.take('admit', () => admitWaiting(services, backlog, untried), 0);
  return { requeued, swept };
}

/** Runs a part of the audit of all records. @returns the sums of the pass, if the pass has ended. */
async function auditRuns({ rounds, logger, metrics }: Prepared): Promise<RunSum | undefined> {
  const audited = await rounds.audit();
  if (audited) metrics?.emit([measure('checksFailed', audited.part.lost)]);
  for (const recordId of audited?.part.guilty ?? []) logger.error('runs-lost', { recordId });
  if (!audited?.whole) return undefined;
  const { guilty: _, outcomes: _outcomes, ...counts } = audited.whole;
  logger.info('runs-audited', { counts });
  return audited.whole;
}

/** Runs a part of the audit of deletions. */
async function auditDeletions({ rounds, logger }: Prepared): Promise<void> {
  const counts = await rounds.deletions(logger);
  if (counts) logger.info('deletions-audited', { counts });
}

/** Maximum number of problems to log. A hundred would tell no more than the first ones. */
const MAX_LOGGED = 20;

async function checkBooks({ checkBooks: check, logger, metrics }: Prepared): Promise<void> {
  const { problems } = await check();
  metrics?.emit([measure('checksFailed', problems.length)]);
  for (const { seq, problem } of problems.slice(0, MAX_LOGGED))
    logger.error('ledger-broken', { seq, reason: problem });
}

/** Runs steps one after another. A failed step does not stop the others. */
function createSteps(logger: Logger) {
  const errors: unknown[] = [];
  return {
    /** @returns `otherwise` if the step failed. */
    take: async <R>(name: string, step: () => Promise<R>, otherwise: R): Promise<R> => {
      try {
        return await step();
      } catch (error) {
        if (isHubSpotFailure(error)) {
          const { code, status, requestId, retryable } = error;
          logger.warn('hubspot-unavailable', { key: name, code, status, requestId, retryable });
          return otherwise;
        }
        logger.error('step-failed', { key: name, code: errorCode(error) });
        errors.push(error);
        return otherwise;
      }
    },
    /**
     * @throws the first error, so that the invocation fails. HubSpot failures are not thrown, because they have their
     * own alarm.
     */
    end: (): void => {
      if (errors.length > 0) throw errors[0];
    },
  };
}
