import { recordKey } from '#shared/crm';
import {
  caught,
  type EnrichmentServices,
  enrichBatch,
  type JobResult,
  noteBatch,
  recordYield,
} from '#shared/enrichment';
import { type HomeServices, renewHome } from '#shared/home';
import { errorCode, UpstreamError } from '#shared/kernel';
import type { OwnPortal } from '#shared/records';
import { carryOut, type RequestServices } from '#shared/requests';
import {
  type BatchResponse,
  coalesce,
  failedMessages,
  inRounds,
  isForLater,
  type Job,
  type QueuedRecord,
  sortJobs,
} from '#shared/work-queue';

export interface QueueEvent {
  readonly Records: readonly QueuedRecord[];
}

/** The part of Lambda's context that the handler needs. */
export interface TimeLeft {
  getRemainingTimeInMillis(): number;
}

/** Time that is left to answer Lambda after the last record is settled. */
const CLOSING_MS = 2_000;

export interface WorkerServices extends RequestServices {
  readonly portal: OwnPortal;
  /** Parts from which the home page is made again after a person's decision. A program without them makes none. */
  readonly home?: HomeServices | undefined;
}

/**
 * Processes one batch of an SQS queue. Each message is parsed by itself. Messages of other portals are dropped.
 * Messages about one record become one job for each price limit. Only failed messages are delivered again.
 */
export function createHandler(services: WorkerServices) {
  return async (event: QueueEvent, context: TimeLeft): Promise<BatchResponse> => {
    const leftMs = context.getRemainingTimeInMillis() - CLOSING_MS;
    const time = { deadlineMs: services.clock.now() + leftMs };
    const { jobs, malformed } = coalesce(event.Records);
    const { own, foreign, undecided } = sortJobs(jobs, await ownPortalId(services, jobs));
    for (const messageId of malformed) services.logger.error('message-malformed', { key: messageId });
    if (foreign.length > 0)
      services.logger.info('ignored', {
        reason: 'other-portal',
        count: foreign.flatMap(({ messageIds }) => messageIds).length,
      });
    const { asked = [], records = [] } = Object.groupBy(own, ({ message }) =>
      message.request === undefined ? 'records' : 'asked',
    );
    const unanswered = await carryOutAll(services, asked);
    const failed: Job[] = [];
    for (const round of inRounds(records)) failed.push(...(await workOn(services, round, time)));
    const redelivered = [...unanswered, ...failed, ...undecided].flatMap(({ messageIds }) => messageIds);
    return failedMessages([...malformed, ...redelivered]);
  };
}

/** Notes or enriches records, with one job for each. @returns the jobs that failed. */
async function workOn(
  services: WorkerServices,
  jobs: readonly Job[],
  time: { readonly deadlineMs: number },
): Promise<readonly Job[]> {
  const { later = [], now = [] } = Object.groupBy(jobs, (job) =>
    isForLater(job, services.clock.now()) ? 'later' : 'now',
  );
  const noted = await noteBatch(
    services,
    later.map(({ message }) => message),
  );
  const enriched = await enrichBatch(
    services,
    now.map(({ message }) => message),
    time,
  );
  await recordYield(
    services,
    [...enriched.values()].map(({ runYield }) => runYield),
  );
  const results = new Map([...noted, ...enriched]);
  logResults(services, results);
  return jobs.filter(({ message }) => results.get(recordKey(message))?.kind === 'error');
}

/**
 * Carries out people's requests, except enrichments. Then makes the home page again, so that it shows their result.
 * @returns the jobs that failed before a reply was stored.
 */
async function carryOutAll(services: WorkerServices, jobs: readonly Job[]): Promise<readonly Job[]> {
  const results = await Promise.all(
    jobs.map(async (job) => {
      const { request = '', ...message } = job.message;
      const result = await caught(async () => {
        const done = await carryOut(services, request);
        if (typeof done === 'string') return { kind: done };
        return { kind: 'done', ...done } as const;
      });
      const recordId = recordKey(message);
      if (result.kind === 'error')
        services.logger.error('request-failed', { recordId, ...describe(result.error) });
      else services.logger.info('request-ended', { recordId, reason: result.kind });
      return { job, result };
    }),
  );
  const { home } = services;
  if (home && results.some(({ result }) => 'changesHome' in result && result.changesHome)) {
    const renewed = await caught(() => renewHome(home));
    if (renewed) services.logger.error('home-failed', describe(renewed.error));
  }
  // A copy that comes too early is delivered again: by then its reply is stored, or its worker has died.
  return results.flatMap(({ job, result }) =>
    result.kind === 'error' || result.kind === 'under way' ? [job] : [],
  );
}

/**
 * Reads our portal's id if a message names a portal.
 * @returns `undefined` if HubSpot does not answer. Messages that name a portal are then delivered again. Without this,
 * a privacy deletion of another portal could delete a person of ours.
 */
async function ownPortalId(
  { portal, logger }: WorkerServices,
  jobs: readonly Job[],
): Promise<string | undefined> {
  if (jobs.every(({ message }) => message.portalId === undefined)) return undefined;
  try {
    return (await portal.learn()).portalId;
  } catch (error) {
    logger.error('portal-unknown', describe(error));
    return undefined;
  }
}

function logResults({ logger }: EnrichmentServices, results: ReadonlyMap<string, JobResult>): void {
  for (const [recordId, result] of results) {
    if (result.kind === 'error') logger.error('record-failed', { recordId, ...describe(result.error) });
    else if (result.kind !== 'ended') logger.info('record-skipped', { recordId, reason: result.kind });
    else if (result.runOutcome.kind === 'deferred') {
      const { reason, detail, untilMs, credits } = result.runOutcome;
      const until = new Date(untilMs).toISOString();
      const budget = reason === 'budget' ? detail : undefined;
      logger.info('record-waiting', { recordId, reason, budget, until, credits });
    } else {
      const { outcome, credits } = result.runOutcome;
      logger.info('record-ended', { recordId, outcome, credits });
    }
  }
}

/**
 * Returns the fields of an error that may be logged. Leaves out the error's message, because it can quote a request or
 * an answer.
 */
function describe(error: unknown) {
  const code = errorCode(error);
  if (!(error instanceof UpstreamError)) return { code, retryable: false };
  const { status, requestId, retryable } = error;
  return { code, status, requestId, retryable };
}
