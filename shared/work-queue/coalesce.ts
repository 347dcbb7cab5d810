import { laneOf, recordKey } from '#shared/crm';
import { SECOND_MS } from '#shared/kernel';
import { joinAsked, leading } from '#shared/records';
import { decodeMessage, type WorkMessage } from './message.ts';

export interface Job {
  readonly message: WorkMessage;
  /** When the newest of its messages was sent, epoch milliseconds, as the queue tells it. */
  readonly sentAtMs?: number | undefined;
  /** Of the queue's messages that are settled with it. */
  readonly messageIds: readonly string[];
}

export interface Coalesced {
  readonly jobs: readonly Job[];
  /** Ids of messages that are not ours or damaged: they fail alone. */
  readonly malformed: readonly string[];
}

/** So many keys of events one message carries, at some 150 characters each: far below what the queue takes. */
const MAX_EVENT_KEYS = 100;

/** Reads each message alone and joins those about one record: all their events, the most urgent purpose. */
export function coalesce(records: readonly QueuedRecord[]): Coalesced {
  const jobs: Job[] = [];
  const malformed: string[] = [];
  for (const { messageId, body, attributes } of records) {
    const message = decodeMessage(body);
    const sentAtMs = attributes && Number(attributes.SentTimestamp);
    if (!message) malformed.push(messageId);
    else jobs.push(...oneByOne(message).map((one) => ({ message: one, sentAtMs, messageIds: [messageId] })));
  }
  return { jobs: joinJobs(jobs), malformed };
}

/** Each of its records alone: the message is settled when all of them are. */
function oneByOne({ moreIds = [], ...message }: WorkMessage): WorkMessage[] {
  return [message, ...moreIds.map((id) => ({ ...message, id }))];
}

/**
 * One job for each record, in the order of their first messages. Jobs of a merged record join those of the winner. So
 * nothing is bought for the loser, and its deletion does not delete the person. Only a request to be forgotten stays
 * with its own id. Equal ids of two portals are two records.
 */
export function joinJobs(jobs: readonly Job[]): readonly Job[] {
  // From the key of each record merged away to the id of the one it was merged into.
  const winners = new Map(
    jobs.flatMap(({ message: { mergedIds = [], ...winner } }) =>
      mergedIds.map((loser) => [keyOf({ ...winner, id: loser }), winner.id] as const),
    ),
  );
  const joined = new Map<string, Job>();
  for (const job of jobs) {
    const { message, messageIds, sentAtMs } = retarget(job, winners);
    const key = keyOf(message);
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

/** A request of its own is joined with nothing. */
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

/** Follows merges of merges; a circle, which no real merges make, ends where it began. */
function winnerOf(record: Named, winners: ReadonlyMap<string, string>): string {
  const { id } = record;
  const passed = new Set([id]);
  let current = id;
  for (;;) {
    const next = winners.get(keyOf({ ...record, id: current }));
    if (next === undefined) return current;
    if (passed.has(next)) return id;
    passed.add(next);
    current = next;
  }
}

/**
 * Both messages in one. `forgotten` outlasts everything, whatever came before or after it: a person's wish is not
 * undone by an event that was late. `deleted` outlasts a creation, but the worker reads the record before it acts:
 * events come in any order, and a restored record is there again.
 */
export function join(a: WorkMessage, b: WorkMessage): WorkMessage {
  const gone = a.gone === 'forgotten' || b.gone === 'forgotten' ? 'forgotten' : (a.gone ?? b.gone);
  const mergedIds = union(a.mergedIds, b.mergedIds);
  const { isChange, asked: _, askedBy: _asker, ...rest } = a;
  const asked = askedOfBoth(a, b);
  return {
    ...rest,
    ...leading(a, b),
    eventKeys: bounded(union(a.eventKeys, b.eventKeys)),
    ...(asked && { asked }),
    ...(isChange && b.isChange && { isChange }),
    ...(gone && { gone }),
    ...(mergedIds.length > 0 && { mergedIds }),
  };
}

/** Scheduled work only brings on what is there. */
function askedOfBoth(a: WorkMessage, b: WorkMessage): WorkMessage['asked'] {
  if (a.eventKeys.length === 0) return b.asked;
  return b.eventKeys.length === 0 ? a.asked : joinAsked(a, b);
}

/** The surplus becomes one key, so that a repetition of exactly these events is known by it, and any other is not. */
function bounded(keys: readonly string[]): readonly string[] {
  if (keys.length <= MAX_EVENT_KEYS) return keys;
  const kept = keys.slice(0, MAX_EVENT_KEYS - 1);
  return [...kept, `${keys.length - kept.length}+${keys.at(-1)}`];
}

function union(a: readonly string[] = [], b: readonly string[] = []): string[] {
  return [...new Set([...a, ...b])];
}

/** The part of an SQS record that a handler needs. */
export interface QueuedRecord {
  readonly messageId: string;
  readonly body: string;
  /** Epoch milliseconds, as text. */
  readonly attributes?: { readonly SentTimestamp: string } | undefined;
}

/** What Lambda's SQS event source reads: the messages to deliver again; all others are deleted. */
export interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

export function failedMessages(messageIds: Iterable<string>): BatchResponse {
  return { batchItemFailures: [...new Set(messageIds)].map((itemIdentifier) => ({ itemIdentifier })) };
}

interface SortedJobs {
  /** Ours, one a record: what an operator or a schedule asked for is joined to what our portal told. */
  readonly own: readonly Job[];
  /** Told by other portals, whose records are none of ours even where their ids are equal. */
  readonly foreign: readonly Job[];
  /** Reported by some portal, while ours is unknown. */
  readonly undecided: readonly Job[];
}

/** @param ownPortalId nothing while it is not known. */
export function sortJobs(jobs: readonly Job[], ownPortalId: string | undefined): SortedJobs {
  const [own, foreign, undecided]: [Job[], Job[], Job[]] = [[], [], []];
  for (const job of jobs) {
    const { portalId, ...message } = job.message;
    if (portalId === undefined || portalId === ownPortalId) own.push({ ...job, message });
    else (ownPortalId === undefined ? undecided : foreign).push(job);
  }
  return { own: joinJobs(own), foreign, undecided };
}

/** What has lain in the queue for longer shows that more comes than can be worked off. */
const FRESH_MS = 30 * SECOND_MS;

/**
 * Bulk work, and work that is no longer fresh, is only noted in the record's state. A queue that is read at once loses
 * nothing to its retention. Waiting records are admitted by purpose, not by their place in the queue.
 */
export function isForLater({ message, sentAtMs }: Job, nowMs: number): boolean {
  const { purpose, eventKeys, gone, mergedIds } = message;
  if (eventKeys.length === 0 || gone || mergedIds) return false;
  return laneOf(purpose) === 'bulk' || (sentAtMs !== undefined && nowMs - sentAtMs > FRESH_MS);
}
