import { expect, it } from 'vitest';
import { priceOfAnswer } from '#inside/questions/question.ts';
import { priceOfMiss } from '#shared/questions';
import { questionOf } from '../../harness/questions-of-calls.ts';
import { type Fields, isFields, listOf, readFields } from './answer.ts';
import { createDraw, drawCall, type RandomCall } from './random-calls.ts';
import { createStandIn } from './target.ts';

const SEED = 20_261_121;
const CALLS = 2_000;
/** Less than all calls cost, so that it runs out before the last of them. */
const BALANCE = 8_000;
const NO_MATCH_COSTS = ['none', 'base', 'full'] as const;
const BASE = 'http://data-service.test';

type Handle = ReturnType<typeof createStandIn>;
type NoMatchCost = (typeof NO_MATCH_COSTS)[number];

it('the bill of 2,000 random calls is the sum of the prices of their answers', async () => {
  const handle = createStandIn();
  await verb(handle, 'PUT', 'settings', { rateLimitPerMinute: 1_000_000, creditBalance: BALANCE });
  const records = await verb(handle, 'GET', 'records?kind=person&limit=1000');
  const people = listOf(records, 'records').map(readFields);
  const draw = createDraw(SEED);
  const expected = { byOperation: new Map<string, number>(), byStatus: new Map<string, number>() };

  for (const [third, cost] of NO_MATCH_COSTS.entries()) {
    await verb(handle, 'PUT', 'settings', { noMatchCost: cost });
    const count = Math.floor((CALLS * (third + 1)) / 3) - Math.floor((CALLS * third) / 3);
    for (let called = 0; called < count; called += 1) {
      const call = drawCall(draw, people);
      const { status, body } = await answerTo(handle, call);
      add(expected.byStatus, String(status), 1);
      add(expected.byOperation, nameOf(call), creditsOf(call, { status, body, cost }));
    }
  }

  const bill = await verb(handle, 'GET', 'bill');
  const credits = sum(expected.byOperation);
  expect(bill).toEqual({
    creditsCharged: credits,
    creditBalance: BALANCE - credits,
    requests: CALLS,
    byOperation: expect.anything(),
    byStatus: Object.fromEntries(expected.byStatus),
  });
  expect(charged(Object.entries(readFields(bill['byOperation'])))).toEqual(
    charged([...expected.byOperation]),
  );
  expect([...expected.byStatus.keys()].sort()).toEqual(['200', '201', '400', '401', '402', '404']);
});

interface Priced {
  readonly status: number;
  readonly body: Fields;
  readonly cost: NoMatchCost;
}

/** What an answer is worth by the price list. */
function creditsOf(call: RandomCall, { status, body, cost }: Priced): number {
  if (call.operation === 'checkKey' || (status >= 400 && status !== 404)) return 0;
  const question = questionOf(call);
  if (status === 404) return priceOfMiss(question, cost);
  return priceOfAnswer(question, isFields(body['data']) ? 1 : listOf(body, 'data').length);
}

async function answerTo(handle: Handle, { endpoint, params, key }: RandomCall) {
  const { method, path } = endpoint;
  const headers = new Headers(key === null ? {} : { 'X-API-KEY': key });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) query.append(name, String(value));
  const request =
    method === 'GET'
      ? new Request(`${BASE}${path}?${query}`, { headers })
      : new Request(BASE + path, { method, headers, body: JSON.stringify(params) });
  const response = await handle(request);
  return { status: response.status, body: readFields(await response.json()) };
}

async function verb(handle: Handle, method: 'GET' | 'PUT', name: string, params?: Fields): Promise<Fields> {
  const body = params === undefined ? {} : { body: JSON.stringify(params) };
  const response = await handle(new Request(`${BASE}/_sandbox/${name}`, { method, ...body }));
  expect(response.status).toBe(200);
  return readFields(await response.json());
}

/** "Company profile" is `company-profile` on the bill. */
function nameOf({ endpoint }: RandomCall): string {
  return endpoint.operation.toLowerCase().replaceAll(' ', '-');
}

function charged(entries: readonly (readonly [string, unknown])[]): unknown {
  return Object.fromEntries(entries.filter(([, credits]) => credits !== 0));
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

function sum(sums: ReadonlyMap<string, number>): number {
  return [...sums.values()].reduce((total, one) => total + one, 0);
}
