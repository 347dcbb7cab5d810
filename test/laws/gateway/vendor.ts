import { SECOND_MS } from '#shared/kernel';
import type { Question } from '#shared/questions';
import type { CallResult, VendorClient } from '#shared/vendor';
import type { Actor } from './stage.ts';

export const REPLIES = [
  'found',
  'no-match',
  'rate-limited',
  'key-refused',
  'wrong-address',
  'out-of-credits',
  'bad-request',
  'not-sent',
  'lost-charged',
  'lost-free',
] as const;
export type Reply = (typeof REPLIES)[number];

/** A request that reached the vendor, or would have. */
export interface Received {
  readonly asker: string;
  readonly reservationId: string;
  readonly questionKey: string;
  readonly question: Question;
  readonly reply: Reply;
  /** What the vendor took for it. */
  readonly credits: number;
  readonly atMs: number;
  /** Its place among all that happened. */
  readonly moment: number;
  /** When its end had reached the asker. */
  endedAt?: number;
}

export interface Vendor {
  readonly received: readonly Received[];
  /** The door of one asker. */
  callsOf(
    actor: Actor,
    about: (question: Question) => { reservationId: string; questionKey: string },
  ): Pick<VendorClient, 'ask'>;
}

export const REQUEST_TIMEOUT_MS = 4 * SECOND_MS;
/** How long an answer takes; a lost one is given up at the timeout. */
const LATENCY_MS = SECOND_MS;
/** What a search finds of the ten that it asks for. */
const RESULTS = 4;

/**
 * The vendor, as small as can be: it keeps a bill of its own, with prices of its own reading.
 * @param replyTo what becomes of the n-th request, counted from 0.
 */
export function createVendor(replyTo: (nth: number) => Reply, moment: () => number): Vendor {
  const received: Received[] = [];
  const receive = (actor: Actor, asked: Pick<Received, 'reservationId' | 'questionKey' | 'question'>) => {
    const reply = replyTo(received.length);
    const charges = reply === 'found' || reply === 'no-match' || reply === 'lost-charged';
    const credits = charges ? priceOf(asked.question, reply) : 0;
    const entry: Received = {
      asker: actor.name,
      ...asked,
      reply,
      credits,
      atMs: actor.clock.now(),
      moment: moment(),
    };
    received.push(entry);
    return entry;
  };
  return {
    received,
    callsOf: (actor, about) => ({
      ask: async (given) => {
        const question = given as Question;
        const asked = { ...about(question), question };
        const entry = await actor.call('calls.call', () => receive(actor, asked));
        await actor.clock.sleep(entry.reply.startsWith('lost') ? REQUEST_TIMEOUT_MS : LATENCY_MS);
        entry.endedAt = moment();
        return resultOf(entry);
      },
    }),
  };
}

function resultOf({ reply, question }: Received): CallResult {
  const report = undefined;
  switch (reply) {
    case 'found':
      return {
        kind: 'found',
        record: { width: question.options, email: 'somebody@people.example' },
        results: RESULTS,
        report,
      };
    case 'no-match':
      return { kind: 'no-match', report };
    case 'not-sent':
      return { kind: 'not-sent', reason: 'refused' };
    case 'lost-charged':
    case 'lost-free':
      return { kind: 'unknown', reason: 'timeout' };
    default:
      return { kind: 'declined', why: reply, report, reason: reply };
  }
}

function priceOf(question: Question, reply: Reply): number {
  const { operation, options } = question;
  if (operation === 'searchPeople') return reply === 'no-match' ? 1 : RESULTS;
  return 1 + (options.includes('email') ? 2 : 0) + (options.includes('phone') ? 3 : 0);
}
