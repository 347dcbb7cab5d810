import { type Random, seededRandom } from '#shared/kernel';
import { decodeMessage, encodeMessage, type WorkMessage } from '#shared/work-queue';
import { createHandler } from '../../../functions/receive-webhook/handler.ts';
import { oneQueue } from '../../harness/one-queue.ts';
import { chance, SECRET_WORD } from './damage.ts';
import {
  bytesOf,
  CLIENT_SECRET,
  type FuzzedDelivery,
  fuzzedDelivery,
  isGenuine,
  NOW_MS,
  PUBLIC_URL,
} from './deliveries.ts';

export interface FuzzReport {
  /** How often each thing happened. */
  readonly counts: Readonly<Record<string, number>>;
  /** What must not happen, with the number of the run. */
  readonly problems: readonly string[];
}

/** SQS takes no larger message. */
const MAX_MESSAGE_BYTES = 262_144;

interface Meeting {
  readonly delivery: FuzzedDelivery;
  readonly allowV1: boolean;
  readonly secretFails: boolean;
  readonly queueFails: boolean;
}

interface Outcome {
  readonly statusCode: number;
  readonly sent: readonly WorkMessage[];
  /** Whether a queue was asked to take anything. */
  readonly hasSent: boolean;
  readonly logged: string;
}

/**
 * Damaged deliveries against the receiver: it never throws, answers each as the table in its documentation says, a
 * 5xx only where secret or queue failed, queues nothing that was not signed, and loses no undamaged event.
 */
export async function fuzzReceiver({ seed, runs }: { seed: number; runs: number }): Promise<FuzzReport> {
  const random = seededRandom(seed);
  const counts: Record<string, number> = {};
  const problems: string[] = [];
  for (let run = 0; run < runs && problems.length < 10; run += 1) {
    const meeting = drawMeeting(random);
    try {
      const outcome = await meet(meeting);
      counts[outcome.statusCode] = (counts[outcome.statusCode] ?? 0) + 1;
      problems.push(...problemsOf(meeting, outcome).map((problem) => `run ${run}: ${problem}`));
    } catch (error) {
      problems.push(`run ${run}: threw ${error}`);
    }
  }
  return { counts, problems };
}

function drawMeeting(random: Random): Meeting {
  return {
    delivery: fuzzedDelivery(random),
    allowV1: chance(random, 0.5),
    secretFails: chance(random, 0.01),
    queueFails: chance(random, 0.03),
  };
}

async function meet({ delivery, allowV1, secretFails, queueFails }: Meeting): Promise<Outcome> {
  const sent: WorkMessage[] = [];
  let hasSent = false;
  const logs: unknown[] = [];
  const log = (event: string, fields?: unknown) => void logs.push({ event, fields });
  const receive = createHandler({
    queues: oneQueue({
      send: async (messages: readonly WorkMessage[]) => {
        hasSent = true;
        if (queueFails) throw new Error(`refused ${SECRET_WORD}`);
        sent.push(...messages);
      },
    }),
    clientSecret: async () => {
      if (secretFails) throw new Error(`no secret ${SECRET_WORD}`);
      return CLIENT_SECRET;
    },
    publicUrl: PUBLIC_URL,
    allowV1,
    clock: { now: () => NOW_MS, monotonic: () => 0, sleep: async () => undefined },
    logger: { info: log, warn: log, error: log },
  });
  const { statusCode } = await receive(delivery.event);
  return { statusCode, sent, hasSent, logged: JSON.stringify(logs) };
}

function problemsOf(meeting: Meeting, { statusCode, sent, hasSent, logged }: Outcome): string[] {
  const { wholeContacts } = meeting.delivery;
  const expected = expectedStatus(meeting, hasSent || wholeContacts.length > 0);
  const ids = new Set(sent.map(({ objectType, id }) => `${objectType}#${id}`));
  const named = new Set(sent.map(({ portalId, objectType, id }) => `${portalId}/${objectType}#${id}`));
  const lost = wholeContacts.filter((id) => !ids.has(`contacts#${id}`));
  const unreadable = sent.map(encodeMessage).filter((body) => !decodeMessage(body));
  const large = sent.map(encodeMessage).filter((body) => Buffer.byteLength(body) > MAX_MESSAGE_BYTES);
  const checks: readonly [boolean, string][] = [
    [statusCode === expected, `answered ${statusCode} instead of ${expected}`],
    [expected === 200 || sent.length === 0, 'queued what was refused'],
    [expected !== 200 || lost.length === 0, `lost ${lost.length} undamaged events`],
    [named.size === sent.length, 'two messages for one record of one portal'],
    [unreadable.length === 0, 'a message that no worker takes'],
    [large.length === 0, 'a message that the queue does not take'],
    [!logged.includes(SECRET_WORD), 'data in the log'],
  ];
  return checks.filter(([holds]) => !holds).map(([, problem]) => problem);
}

function expectedStatus(
  { delivery: { event }, allowV1, secretFails, queueFails }: Meeting,
  hasWork: boolean,
): number {
  if (secretFails) return 503;
  if (!isGenuine({ event, allowV1 })) return 401;
  if (!isList(bytesOf(event).toString('utf8'))) return 400;
  return queueFails && hasWork ? 503 : 200;
}

function isList(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}
