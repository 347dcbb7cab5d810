import type { EnrichmentDeps } from '../../shared/enrichment/deps.ts';
import { enrichBatch, type JobResult } from '../../shared/enrichment/enrich-batch.ts';
import { OutsideError } from '../../shared/kernel/errors.ts';
import { recordKey } from '../../shared/records/crm-record.ts';
import { coalesce } from '../../shared/work-queue/coalesce.ts';
import {
  type BatchResponse,
  failedMessages,
  type QueuedRecord,
} from '../../shared/work-queue/settle-batch.ts';

export interface QueueEvent {
  readonly Records: readonly QueuedRecord[];
}

/** The part of Lambda's context that the handler needs. */
export interface TimeLeft {
  getRemainingTimeInMillis(): number;
}

/** Time to answer Lambda after the last record is settled. */
const CLOSING_MS = 2_000;

/**
 * One batch of an SQS queue: each message is read alone, messages of one record are worked on as one, and only
 * those that really failed are delivered again.
 */
export function createHandler(deps: EnrichmentDeps) {
  return async (event: QueueEvent, context: TimeLeft): Promise<BatchResponse> => {
    const leftMs = context.getRemainingTimeInMillis() - CLOSING_MS;
    const time = { deadlineMs: deps.clock.now() + leftMs };
    const { jobs, malformed } = coalesce(event.Records);
    for (const messageId of malformed) deps.logger.error('message-malformed', { key: messageId });
    const results = await enrichBatch(
      deps,
      jobs.map(({ message }) => message),
      time,
    );
    const failed = jobs.filter(({ message }) => results.get(recordKey(message))?.kind === 'error');
    logResults(deps, results);
    return failedMessages([...malformed, ...failed.flatMap(({ messageIds }) => messageIds)]);
  };
}

function logResults({ logger }: EnrichmentDeps, results: ReadonlyMap<string, JobResult>): void {
  for (const [recordId, result] of results) {
    if (result.kind === 'error') logger.error('record-failed', { recordId, ...describe(result.error) });
    else if (result.kind !== 'ended') logger.info('record-skipped', { recordId, reason: result.kind });
    else if (result.ending.kind === 'deferred') {
      const { reason, detail, untilMs, credits } = result.ending;
      const until = new Date(untilMs).toISOString();
      const budget = reason === 'budget' ? detail : undefined;
      logger.info('record-waiting', { recordId, reason, budget, until, credits });
    } else {
      const { outcome, credits } = result.ending;
      logger.info('record-ended', { recordId, outcome, credits });
    }
  }
}

/** What may be logged of an error: never its message, which may quote a request or an answer. */
function describe(error: unknown) {
  if (error instanceof OutsideError) {
    const { code, status, requestId, retryable } = error;
    return { code, status, requestId, retryable };
  }
  return { code: error instanceof Error ? error.name : 'UNKNOWN', retryable: false };
}
