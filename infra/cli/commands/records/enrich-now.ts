import type { RecordName } from '#shared/crm';
import { STATUS_PROPERTIES } from '#shared/enrichment';
import type { EnrichmentStatus } from '#shared/field-policy';
import { systemClock as clock } from '#shared/kernel/adapters';
import { newRecordState, type RecordState, recordKind, runStatus } from '#shared/records';
import { encodeMessage, type WorkMessage } from '#shared/work-queue';
import { createSqsQueue } from '#shared/work-queue/adapters';
import { createHandler } from '../../../../functions/enrich-records/handler.ts';
import { WORKER_TIMEOUT_MS } from '../../../local/system.ts';
import type { Connection } from '../../connection/connection.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import { enrichmentServices } from './record-plan.ts';

export interface ValueChange {
  readonly property: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** How the run of one record ended, or what it waits for. */
export interface Enriched {
  /** As HubSpot shows it. */
  readonly outcome: EnrichmentStatus;
  readonly reason: string;
  /** Why the run waits, as a sentence; absent if it ended. */
  readonly detail?: string;
  /** Of this run. */
  readonly credits: number;
  /** The latest time at which a waiting run continues, epoch milliseconds. */
  readonly untilMs?: number;
  readonly changes: readonly ValueChange[];
}

interface Waiting {
  readonly signal: AbortSignal | undefined;
  readonly waitMs: number;
}

const POLL_MS = 200;

/**
 * A person's request for one record, by the way that all work takes: through the queue to the workers where there
 * are any, otherwise through the same handler in this process.
 * @param wish.maxCredits the price that the person saw: the upper limit, even if the record has changed since.
 * @throws CliError when it has not ended in time; it continues all the same.
 */
export async function enrichNow(
  connection: Connection,
  name: RecordName,
  { signal, waitMs, maxCredits }: Waiting & { readonly maxCredits: number },
): Promise<Enriched> {
  const eventKey = `manual:${connection.newId()}`;
  const asked = { asked: { maxCredits }, askedBy: 'operator' };
  const message: WorkMessage = { ...name, purpose: 'manual', eventKeys: [eventKey], ...asked };
  const before = await shown(connection, name);
  const state = connection.hasWorkers
    ? await handedOver(connection, { message, eventKey, signal, waitMs })
    : await doneHere(connection, message);
  return { ...outcomeOf(state), changes: changesBetween(before, await shown(connection, name)) };
}

/** Not the crm's own read: this one is for a person, who wants the statuses too. */
async function shown({ services, policy }: Connection, { objectType, id }: RecordName) {
  const targets = policy.fields[objectType].map(({ property }) => property);
  const properties = [...new Set([...targets, ...STATUS_PROPERTIES])];
  const { records } = await services.crm.read({ objectType, ids: [id], properties });
  return records.get(id)?.properties ?? {};
}

type Values = Readonly<Record<string, string | null>>;

function changesBetween(before: Values, after: Values): ValueChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((property) => ({ property, before: before[property] ?? null, after: after[property] ?? null }))
    .filter((change) => change.before !== change.after);
}

async function doneHere(connection: Connection, message: WorkMessage): Promise<RecordState> {
  const handle = createHandler({ ...connection.services, ...(await enrichmentServices(connection)) });
  const endsAt = clock.monotonic() + WORKER_TIMEOUT_MS;
  const { batchItemFailures } = await handle(
    { Records: [{ messageId: connection.newId(), body: encodeMessage(message) }] },
    { getRemainingTimeInMillis: () => endsAt - clock.monotonic() },
  );
  if (batchItemFailures.length > 0) {
    const where = `${connection.path}/log.jsonl says at record-failed`;
    throw new CliError(`The work on this record failed. ${where} the cause.`, {
      exit: EXIT.failed,
      code: 'record-failed',
    });
  }
  return stateOf(connection, message);
}

interface HandedOver extends Waiting {
  readonly message: WorkMessage;
  readonly eventKey: string;
}

async function handedOver(
  connection: Connection,
  { message, eventKey, signal, waitMs }: HandedOver,
): Promise<RecordState> {
  const { sqs, urls } = connection.queues;
  await createSqsQueue({ client: sqs, queueUrl: urls.urgent.url }).send([message]);
  const endsAt = clock.monotonic() + waitMs;
  while (clock.monotonic() < endsAt) {
    signal?.throwIfAborted();
    const state = await stateOf(connection, message);
    if (state.recentEvents.some(({ key }) => key === eventKey) && isAtRest(state)) return state;
    await clock.sleep(POLL_MS);
  }
  throw new CliError('The workers have not finished it yet. It is queued, and continues.', {
    exit: EXIT.refused,
    code: 'under-way',
  });
}

async function stateOf({ services }: Connection, name: RecordName): Promise<RecordState> {
  const stored = await services.records.read(recordKind.key(name));
  return stored?.value ?? newRecordState(name.objectType, name.id);
}

/**
 * Whether the request's run has ended. If a worker holds the record, this run starts right after the present one. A run
 * with another purpose is not waited for: the last outcome is ours.
 */
function isAtRest({ claim, run, waiting }: RecordState): boolean {
  if (claim) return false;
  return !run || (waiting !== undefined && !(isNext(waiting) && run.purpose === 'manual'));
}

/** Not postponed: the next sweep admits it. */
const NEXT: ReadonlySet<string> = new Set(['changed-meanwhile', 'queued', 'admitted']);

function isNext({ reason }: { readonly reason: string }): boolean {
  return NEXT.has(reason);
}

function outcomeOf({ outcome, waiting, run }: RecordState): Omit<Enriched, 'changes'> {
  if (waiting && !(outcome && isNext(waiting))) {
    const { reason, detail, untilMs } = waiting;
    return {
      outcome: 'waiting',
      reason,
      ...(detail !== undefined && { detail }),
      untilMs,
      credits: run?.credits ?? 0,
    };
  }
  if (outcome) return { outcome: runStatus(outcome), reason: outcome.reason, credits: outcome.credits };
  throw new Error('A record that is at rest has an outcome or waits.');
}
