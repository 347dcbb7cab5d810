import { laneOf, recordKey } from '#shared/crm';
import { SECOND_MS } from '#shared/kernel';
import { joinReasons } from '#shared/records';
import { decodeMessage, type WorkMessage } from './message.ts';

export interface Job {
  readonly message: WorkMessage;
  /** Send time of the job's newest message, in epoch milliseconds, as SQS reports it. */
  readonly sentAtMs?: number | undefined;
  /** SQS messages that are deleted when this job succeeds. */
  readonly messageIds: readonly string[];
}

export interface Coalesced {
  readonly jobs: readonly Job[];
  /** Ids of messages that are damaged or not ours. Only these messages fail. */
  readonly malformed: readonly string[];
}

/**
 * Maximum number of event keys in one message. At about 150 characters each, they stay far below the size limit of SQS.
 */
const MAX_EVENT_KEYS = 100;

/**
 * Parses each message and joins the messages about one record. The joined message has all events and the most urgent
 * purpose.
 */
export function coalesce(records: readonly QueuedRecord[]): Coalesced {
  const jobs: Job[] = [];
  const malformed: string[] = [];
  for (const { messageId, body, attributes } of records) {
    const message = decodeMessage(body);
    const sentAtMs = attributes && Number(attributes.SentTimestamp);
    if (!message) malformed.push(messageId);
    else jobs.push({ message, sentAtMs, messageIds: [messageId] });
  }
  return { jobs: joinJobs(jobs), malformed };
}

/**
 * Makes one job for each record, in the order of the first messages. Jobs of a merged record (the loser) are joined to
 * the jobs of the record that remains (the winner). So nothing is bought for the loser, and the loser's deletion does
 * not delete the person. Only a privacy deletion keeps its own id. Equal ids of two portals are two records.
 */
export function joinJobs(jobs: readonly Job[]): readonly Job[] {
  // Maps each loser of a merge to the id of its winner.
  const winners = new Map(
    jobs.flatMap(({ message: { mergedIds = [], ...winner } }) =>
      mergedIds.map((loser) => [keyOf({ ...winner, id: loser }), winner.id] as const),
    ),
  );
  const joined = new Map<string, Job>();
  for (const job of jobs) {
    const { message, messageIds, sentAtMs } = retarget(job, winners);
    // A run has one price limit, so messages with different limits stay apart.
    const key = `${keyOf(message)}/${message.asked?.maxCredits ?? ''}`;
    const known = joined.get(key);
    if (known) {
      const ids = [...new Set([...known.messageIds, ...messageIds])];
      const newestMs = Math.max(sentAtMs ?? 0, known.sentAtMs ?? 0) || undefined;
      joined.set(key, { message: join(known.message, message), sentAtMs: newestMs, messageIds: ids });
    } else
      joined.set(key, {
        message: { ...message, eventKeys: bounded(message.eventKeys) },
        sentAtMs,
        messageIds,
      });
  }
  return [...joined.values()];
}

type Named = Pick<WorkMessage, 'objectType' | 'id' | 'portalId' | 'request'>;

/** A message with its own request is never joined with others. */
function keyOf(record: Named): string {
  return `${record.portalId ?? ''}/${recordKey(record)}/${record.request ?? ''}`;
}

function retarget(job: Job, winners: ReadonlyMap<string, string>): Job {
  const { message, ...sent } = job;
  if (message.gone === 'forgotten') return job;
  const id = winnerOf(message, winners);
  if (id === message.id) return job;
  const { gone: _gone, ...rest } = message;
  return { message: { ...rest, id }, ...sent };
}

/** Follows chains of merges. A cycle, which real merges never form, returns the original id. */
function winnerOf(record: Named, winners: ReadonlyMap<string, string>): string {
  const { id } = record;
  const visited = new Set([id]);
  let current = id;
  for (;;) {
    const next = winners.get(keyOf({ ...record, id: current }));
    if (next === undefined) return current;
    if (visited.has(next)) return id;
    visited.add(next);
    current = next;
  }
}

/**
 * Joins two messages. `forgotten` takes precedence over everything, because a late event must not undo a person's
 * request. `deleted` takes precedence over a creation. The worker reads the record before it acts, so a restored record
 * is found again.
 */
export function join(a: WorkMessage, b: WorkMessage): WorkMessage {
  const gone = a.gone === 'forgotten' || b.gone === 'forgotten' ? 'forgotten' : (a.gone ?? b.gone);
  const mergedIds = union(a.mergedIds, b.mergedIds);
  const { isChange, asked: _, askedBy: _asker, ...rest } = a;
  return {
    ...rest,
    ...joinReasons(a, b),
    eventKeys: bounded(union(a.eventKeys, b.eventKeys)),
    ...(isChange && b.isChange && { isChange }),
    ...(gone && { gone }),
    ...(mergedIds.length > 0 && { mergedIds }),
  };
}

/**
 * Limits the number of keys. One key replaces the surplus keys, so that only a repetition of exactly these events has
 * the same keys.
 */
function bounded(keys: readonly string[]): readonly string[] {
  if (keys.length <= MAX_EVENT_KEYS) return keys;
  const kept = keys.slice(0, MAX_EVENT_KEYS - 1);
  return [...kept, `${keys.length - kept.length}+${keys.at(-1)}`];
}

function union(a: readonly string[] = [], b: readonly string[] = []): string[] {
  return [...new Set([...a, ...b])];
}

/** The fields of an SQS record that a handler needs. */
export interface QueuedRecord {
  readonly messageId: string;
  readonly body: string;
  /** Epoch milliseconds, as text. */
  readonly attributes?: { readonly SentTimestamp: string } | undefined;
}

/**
 * The response to Lambda's SQS event source. It lists the messages to deliver again. SQS deletes all other messages.
 */
export interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

export function failedMessages(messageIds: Iterable<string>): BatchResponse {
  return { batchItemFailures: [...new Set(messageIds)].map((itemIdentifier) => ({ itemIdentifier })) };
}

interface SortedJobs {
  /**
   * Jobs of our portal, one for each record. Work of an operator or a schedule is joined to work from reported events.
   */
  readonly own: readonly Job[];
  /** Jobs that other portals reported. Their records are not ours, even if the ids are equal. */
  readonly foreign: readonly Job[];
  /** Jobs that a portal reported while our own portal is unknown. */
  readonly undecided: readonly Job[];
}

/** @param ownPortalId `undefined` while our portal is unknown. */
export function sortJobs(jobs: readonly Job[], ownPortalId: string | undefined): SortedJobs {
  const [own, foreign, undecided]: [Job[], Job[], Job[]] = [[], [], []];
  for (const job of jobs) {
    const { portalId, ...message } = job.message;
    if (portalId === undefined || portalId === ownPortalId) own.push({ ...job, message });
    else (ownPortalId === undefined ? undecided : foreign).push(job);
  }
  return { own: joinJobs(own), foreign, undecided };
}

/** Splits the jobs into rounds with one job for each record. Deletions and merges come first, and prevent purchases. */
export function inRounds(jobs: readonly Job[]): readonly (readonly Job[])[] {
  const place = ({ message: { gone, mergedIds } }: Job) => (gone || mergedIds ? 0 : 1);
  const counts = new Map<string, number>();
  const rounds = Map.groupBy(
    jobs.toSorted((a, b) => place(a) - place(b)),
    ({ message }) => {
      const round = counts.get(recordKey(message)) ?? 0;
      counts.set(recordKey(message), round + 1);
      return round;
    },
  );
  return [...rounds.values()];
}

/** If a message stays in the queue for longer than this, the workers cannot keep up. */
const FRESH_MS = 30 * SECOND_MS;

/**
 * Returns true for bulk work and for old messages. Such work is only noted in the record's state. So the queue drains
 * quickly, and no message reaches the end of its retention. Waiting records are admitted by purpose, not by their place
 * in the queue.
 */
export function isForLater({ message, sentAtMs }: Job, nowMs: number): boolean {
  const { purpose, eventKeys, gone, mergedIds } = message;
  if (eventKeys.length === 0 || gone || mergedIds) return false;
  return laneOf(purpose) === 'bulk' || (sentAtMs !== undefined && nowMs - sentAtMs > FRESH_MS);
}
