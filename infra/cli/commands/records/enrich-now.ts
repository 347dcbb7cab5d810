import type { RecordName } from '#shared/crm';
import { eventKeyOfRequest, STATUS_PROPERTIES } from '#shared/enrichment';
import type { EnrichmentStatus } from '#shared/field-policy';
import type { Explanation } from '#shared/ownership';
import {
  newRecordState,
  type RecordState,
  recordKind,
  runStatus,
  type Standing,
  standingOfEvent,
  standingWords,
} from '#shared/records';
import { encodeMessage, type WorkMessage } from '#shared/work-queue';
import { createHandler } from '../../../../functions/enrich-records/handler.ts';
import { WORKER_TIMEOUT_MS } from '../../../local/system.ts';
import type { Connection } from '../../connection/connection.ts';
import { CliError } from '../../terminal/exit.ts';
import { enrichmentServices } from './record-plan.ts';

export interface ValueChange {
  readonly property: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Outcome of a record's run, or the cause of its wait. */
export interface Enriched {
  /** Status as HubSpot shows it. */
  readonly outcome: EnrichmentStatus;
  /** The code of the reason, or of the wait. */
  readonly code: string;
  readonly params?: Explanation['params'];
  readonly notes?: Explanation['notes'];
  readonly reason: string;
  /** Why the run waits, as a sentence. Absent if the run has ended. */
  readonly detail?: string;
  /** Credits charged for this request. */
  readonly credits: number;
  /** The latest time at which a waiting run continues, epoch milliseconds. */
  readonly untilMs?: number;
  /** Event that ends the wait, as the text after "until". Absent if the wait ends at a time. */
  readonly end?: string;
  /** Code of this event. */
  readonly endsWith?: Extract<Standing, { kind: 'waiting' }>['endsWith'];
  readonly changes: readonly ValueChange[];
}

interface Waiting {
  readonly signal: AbortSignal | undefined;
  readonly waitMs: number;
}

const POLL_MS = 200;

/**
 * Enriches one record at a person's request. Uses the queue if workers run. Otherwise the same handler runs in this
 * process.
 * @param wish.maxCredits the price that the person saw. The run costs at most this, even if the record has changed
 * since.
 * @throws CliError if the run has not ended in time. The run continues.
 */
export async function enrichNow(
  connection: Connection,
  name: RecordName,
  { signal, waitMs, maxCredits }: Waiting & { readonly maxCredits: number },
): Promise<Enriched> {
  const eventKey = eventKeyOfRequest(connection.newId());
  const asked = { asked: { maxCredits }, askedBy: 'operator' };
  const message: WorkMessage = { ...name, purpose: 'manual', eventKeys: [eventKey], ...asked };
  const before = await readShownValues(connection, name);
  const state = connection.hasWorkers
    ? await sendToWorkers(connection, { message, eventKey, signal, waitMs })
    : await runHere(connection, message);
  return {
    ...outcomeOf(state, eventKey, connection.clock.now()),
    changes: changesBetween(before, await readShownValues(connection, name)),
  };
}

/**
 * Reads the target values and statuses. The CRM port's read leaves out the statuses, but a person wants to see them.
 */
async function readShownValues({ services, policy }: Connection, { objectType, id }: RecordName) {
  const targets = policy.fields[objectType].map(({ property }) => property);
  const properties = [...new Set([...targets, ...STATUS_PROPERTIES])];
  const { records } = await services.crm.read({ objectType, ids: [id], properties });
  const known = records.get(id)?.properties ?? {};
  return Object.fromEntries(properties.map((property) => [property, known[property] ?? null]));
}

type Values = Readonly<Record<string, string | null>>;

function changesBetween(before: Values, after: Values): ValueChange[] {
  return Object.entries(before).flatMap(([property, value]) => {
    const changed = after[property] ?? null;
    return value === changed ? [] : [{ property, before: value, after: changed }];
  });
}

async function runHere(connection: Connection, message: WorkMessage): Promise<RecordState> {
  const handle = createHandler({ ...connection.services, ...(await enrichmentServices(connection)) });
  const { clock } = connection;
  const endsAt = clock.monotonic() + WORKER_TIMEOUT_MS;
  const { batchItemFailures } = await handle(
    { Records: [{ messageId: connection.newId(), body: encodeMessage(message) }] },
    { getRemainingTimeInMillis: () => endsAt - clock.monotonic() },
  );
  if (batchItemFailures.length > 0) {
    const where = `See record-failed in ${connection.path}/log.jsonl for the cause.`;
    throw new CliError(`The enrichment of this record failed. ${where}`, {
      code: 'record-failed',
    });
  }
  return stateOf(connection, message);
}

interface SentRequest extends Waiting {
  readonly message: WorkMessage;
  readonly eventKey: string;
}

async function sendToWorkers(
  connection: Connection,
  { message, eventKey, signal, waitMs }: SentRequest,
): Promise<RecordState> {
  const { clock, queues } = connection;
  await queues.urgent.queue.send([message]);
  const endsAt = clock.monotonic() + waitMs;
  while (clock.monotonic() < endsAt) {
    signal?.throwIfAborted();
    const state = await stateOf(connection, message);
    if (standingOfWish(state, eventKey).kind !== 'under-way') return state;
    await clock.sleep(POLL_MS);
  }
  throw new CliError('The workers have not finished the record yet. It stays queued and continues.', {
    code: 'under-way',
  });
}

async function stateOf({ services }: Connection, name: RecordName): Promise<RecordState> {
  const stored = await services.records.read(recordKind.key(name));
  return stored?.value ?? newRecordState(name.objectType, name.id);
}

function standingOfWish(state: RecordState, eventKey: string): Standing {
  return standingOfEvent(state, { eventKey, recordId: state.id });
}

function outcomeOf(state: RecordState, eventKey: string, nowMs: number): Omit<Enriched, 'changes'> {
  const standing = standingOfWish(state, eventKey);
  switch (standing.kind) {
    case 'ended': {
      const { outcome } = standing;
      const reason = standingWords(standing).why;
      return { outcome: runStatus(outcome), ...outcome.reason, reason, credits: outcome.credits };
    }
    case 'waiting': {
      const { reason, params, detail, untilMs, endsWith, until, afterMs, credits } = standing;
      const after = afterMs === undefined ? '' : `, after ${new Date(afterMs).toISOString()}`;
      const end = until === undefined ? {} : { end: `${until}${after}` };
      return {
        outcome: 'waiting',
        code: reason,
        params,
        endsWith,
        reason,
        ...(detail !== undefined && { detail }),
        ...end,
        untilMs,
        credits,
      };
    }
    case 'under-way': {
      // Without workers, the record was only queued: the next sweep starts it.
      const { reason = 'queued', untilMs = nowMs } = state.waiting ?? {};
      return { outcome: 'waiting', code: reason, reason, untilMs, credits: 0 };
    }
    default:
      return { outcome: 'skipped', code: standing.kind, reason: standingWords(standing).why, credits: 0 };
  }
}
