import type { DatabaseSync } from 'node:sqlite';
import { LANES, type Lane } from '#shared/crm';
import { type Clock, type NewId, SECOND_MS } from '#shared/kernel';
import { encodeMessage } from './message.ts';
import {
  type LaneQueues,
  MAX_RECEIVES,
  type ReceivedMessage,
  type ServedQueue,
  VISIBILITY_TIMEOUT_S,
} from './queue.ts';

const COLUMNS =
  'id TEXT PRIMARY KEY, queue TEXT, body TEXT, sent INTEGER, visible INTEGER, receives INTEGER, receipt TEXT';
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS messages (${COLUMNS}) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS by_visibility ON messages (queue, visible);
`;

interface QueueOptions {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly isReadOnly?: boolean;
  /** Repeats the work while another process holds the file. */
  readonly patiently: <R>(work: () => R) => Promise<R>;
  /** Does the work as one transaction. */
  readonly atomically: <R>(work: () => R) => Promise<R>;
}

export interface SqliteQueues extends LaneQueues {
  /**
   * Makes all messages visible that an ended worker has received. For a process that knows that no other worker lives.
   * @returns the bodies of all messages, without dead letters.
   */
  takeBack(): Promise<readonly string[]>;
}

const IN_LANES = `queue IN (${LANES.map(() => '?').join()})`;

/** How often a waiting worker looks for a message. */
const POLL_MS = 50;

/** The queues as a table beside the store: the semantics of SQS, durable with each send, for several processes. */
export function openSqliteQueues(options: QueueOptions): SqliteQueues {
  if (!options.isReadOnly) options.database.exec(SCHEMA);
  const pair = (lane: Lane) => ({
    queue: openQueue(options, lane),
    dead: openQueue(options, `${lane}-dead`),
  });
  const [urgent, live, bulk] = [pair('urgent'), pair('live'), pair('bulk')];
  return {
    urgent,
    live,
    bulk,
    takeBack: () =>
      options.patiently(() => {
        options.database.prepare(`UPDATE messages SET visible = 0 WHERE ${IN_LANES}`).run(...LANES);
        return options.database
          .prepare(`SELECT body FROM messages WHERE ${IN_LANES}`)
          .all(...LANES)
          .map(({ body }) => String(body));
      }),
  };
}

function openQueue(
  { database, clock, newId, patiently, atomically }: QueueOptions,
  name: Lane | `${Lane}-dead`,
): ServedQueue {
  const isDead = !LANES.some((lane) => lane === name);
  const insert = database.prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?, 0, NULL)');
  const due = database.prepare(
    'SELECT * FROM messages WHERE queue = ? AND visible <= ? ORDER BY visible LIMIT ?',
  );
  const hide = database.prepare(
    'UPDATE messages SET visible = ?, receives = receives + 1, receipt = ? WHERE id = ?',
  );
  const bury = database.prepare('UPDATE messages SET queue = ?, visible = 0, receives = 0 WHERE id = ?');
  const remove = database.prepare('DELETE FROM messages WHERE id = ? AND receipt = ?');
  const count = database.prepare(
    'SELECT count(*) AS messages, coalesce(sum(visible <= ?), 0) AS waiting FROM messages WHERE queue = ?',
  );
  const add = (bodies: readonly string[]) =>
    atomically(() => {
      const nowMs = clock.now();
      for (const body of bodies) insert.run(newId(), name, body, nowMs, nowMs);
    });
  const take = (most: number, hiddenMs: number) =>
    atomically(() => {
      const nowMs = clock.now();
      const taken: ReceivedMessage[] = [];
      // Those received too often do not count among the most that are wanted.
      for (let rows = due.all(name, nowMs, most); taken.length < most; rows = due.all(name, nowMs, most)) {
        if (rows.length === 0) break;
        for (const { id, body, sent, receives } of rows) {
          if (taken.length === most) break;
          if (!isDead && Number(receives) >= MAX_RECEIVES) {
            bury.run(`${name}-dead`, String(id));
            continue;
          }
          const receipt = newId();
          hide.run(nowMs + hiddenMs, receipt, String(id));
          taken.push({
            messageId: String(id),
            receipt,
            body: String(body),
            attributes: { SentTimestamp: String(sent) },
          });
        }
      }
      return taken;
    });
  const levels = () =>
    patiently(() => {
      const row = count.get(clock.now(), name);
      const waiting = Number(row?.['waiting']);
      return { waiting, inHand: Number(row?.['messages']) - waiting, delayed: 0 };
    });
  return {
    send: async (messages) => {
      if (messages.length > 0) await add(messages.map(encodeMessage));
    },
    sendBodies: async (bodies) => {
      await add(bodies);
      return new Set();
    },
    receive: async ({ most, hiddenMs = VISIBILITY_TIMEOUT_S * SECOND_MS, waitMs = 0, signal }) => {
      const endsAt = clock.monotonic() + waitMs;
      for (;;) {
        const taken = await take(most, hiddenMs);
        if (taken.length > 0 || clock.monotonic() >= endsAt) return taken;
        await clock.sleep(POLL_MS, signal);
      }
    },
    remove: (messages) =>
      atomically(() => {
        for (const { messageId, receipt } of messages) remove.run(messageId, receipt);
      }),
    levels,
    waiting: async () => (await levels()).waiting,
  };
}
