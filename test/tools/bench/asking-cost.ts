import { openApp } from '#shared/app';
import { parsePolicy } from '#shared/field-policy';
import type { Send } from '#shared/http';
import { MINUTE_MS } from '#shared/kernel';
import {
  createDigest,
  systemIds as newId,
  systemRandom as random,
  systemClock,
} from '#shared/kernel/adapters';
import type { Question } from '#shared/questions';
import { openVendor } from '#shared/vendor/adapters';
import { createStandInSend } from '../../../infra/local/virtual/stand-in-send.ts';
import { createDataServiceSandbox } from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { type CountedDynamo, startCountedDynamo, type Tally } from './counted-dynamo.ts';
import { SERVICE_URL } from './observed-service.ts';
import { idempotentAsker } from './powertools-asker.ts';
import { percentile, type Row, table } from './table.ts';

const QUESTIONS = 60;
const AT_ONCE = 8;

type Ask = (question: Question) => Promise<unknown>;

/** Advances the clock at the specified rate: each question sees the books and the rate limiter three seconds later. */
const PACE_MS = 3_000;
let skippedMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + skippedMs };

/**
 * Measures the DynamoDB cost of one question, first and repeated, and of Powertools' idempotency around the same call.
 */
export async function measureAskingCost(): Promise<string> {
  const dynamo = await startCountedDynamo();
  try {
    const { world, send } = service();
    const questions = world.people.flatMap(({ networkSlug }): Question[] =>
      networkSlug ? [profileQuestion(networkSlug)] : [],
    );
    const part = (nth: number) => questions.slice(nth * QUESTIONS, (nth + 1) * QUESTIONS);
    const bare = bareAsker(send);
    const bareMs = percentile(await timed(part(0), bare), 0.5);
    const measure = (name: string, asked: Asked) => rowOf({ name, dynamo, bareMs, ...asked });
    const ours = ourAsker(dynamo, send);
    const theirs = await idempotentAsker(dynamo, bare);
    const rows = [
      await measure('ask gateway, asked', { questions: part(1), ask: ours }),
      await measure('ask gateway, repeated', { questions: part(1), ask: ours }),
      await measure(`ask gateway, asked, ${AT_ONCE} at once`, {
        questions: part(2),
        ask: ours,
        atOnce: AT_ONCE,
      }),
      await measure('Powertools idempotency, asked', { questions: part(3), ask: theirs }),
      await measure('Powertools idempotency, repeated', { questions: part(3), ask: theirs }),
    ];
    return [table(HEADER, rows), EXPLANATION].join('\n\n');
  } finally {
    await dynamo.close();
  }
}

const HEADER = [
  'per question',
  'reads',
  'writes',
  'of them lost',
  'read units',
  'write units',
  'added time, median',
];

const EXPLANATION = `The writes of an asked question: slot, reservation and mark in one transaction; the charge with the answer; the posted
charge with the ways from the person's identifiers to the answer in one transaction. Where slots are scarce, there is one more.`;

/** The stand-in without sockets, latency or limit. */
function service() {
  const settings = { rateLimitPerMinute: 1_000_000, creditBalance: 1_000_000 };
  const { world, handle } = createDataServiceSandbox({ clock, settings });
  return { world, send: createStandInSend({ clock, hosts: { [new URL(SERVICE_URL).host]: handle } }) };
}

function profileQuestion(slug: string): Question {
  // A fixed form, because the product normalises a profile's form before it asks.
  const profileUrl = `https://linkedin.com/in/${slug}`;
  return { operation: 'personProfile', by: { profileUrl }, options: ['email'] };
}

const TIMEOUT_MS = 30_000;
const SERVICE = { baseUrl: SERVICE_URL, apiKey: 'sandbox-key' };

/** The call alone. */
function bareAsker(send: Send): Ask {
  const vendor = openVendor({ ...SERVICE, send, clock, random, timeoutMs: TIMEOUT_MS });
  return async (question) => {
    const result = await vendor.ask(question, { timeoutMs: TIMEOUT_MS });
    return result.kind === 'found' ? result.record : {};
  };
}

function ourAsker(dynamo: CountedDynamo, send: Send): Ask {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { gateway } = openApp({
    store: dynamo.store,
    digest: createDigest('an installation secret of a measure'),
    policy: parsePolicy({ budgets: { perDay: 1_000_000 } }),
    dataService: SERVICE,
    hubSpot: { accessToken: 'none' },
    send,
    clock,
    random,
    newId,
    logger: silent,
  });
  return async (question) => {
    const result = await gateway.ask({ question, purpose: 'live', notAfterMs: clock.now() + MINUTE_MS });
    if (result.kind !== 'found') throw new Error(`A question of the measure ended as ${result.kind}.`);
    return result;
  };
}

interface Asked {
  readonly questions: readonly Question[];
  readonly ask: Ask;
  readonly atOnce?: number;
}

async function rowOf(
  measured: Asked & { readonly name: string; readonly dynamo: CountedDynamo; readonly bareMs: number },
): Promise<Row> {
  const { name, dynamo, bareMs, questions, ask, atOnce = 1 } = measured;
  dynamo.tally();
  const waiting = questions.values();
  const times = await Promise.all(
    Array.from({ length: atOnce }, () => timed(waiting, ask, atOnce === 1 ? PACE_MS : 0)),
  );
  const counted = dynamo.tally();
  const each = (field: keyof Tally) => (counted[field] / questions.length).toFixed(1);
  const addedMs = Math.max(0, percentile(times.flat(), 0.5) - bareMs);
  const counts = (['reads', 'writes', 'failedWrites', 'readUnits', 'writeUnits'] as const).map(each);
  return [name, ...counts, `${addedMs.toFixed(1)} ms`];
}

/** @returns the duration of each, in milliseconds. */
async function timed(questions: Iterable<Question>, ask: Ask, paceMs = PACE_MS): Promise<number[]> {
  const times: number[] = [];
  for (const question of questions) {
    const startedAt = performance.now();
    skippedMs += paceMs;
    await ask(question);
    times.push(performance.now() - startedAt);
  }
  return times;
}
