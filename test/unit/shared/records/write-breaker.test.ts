import { expect, it } from 'vitest';
import { createWriteBreakers } from '#inside/records/write-breaker.ts';
import { HOUR_MS } from '#shared/kernel';
import { createMemoryItems } from '../../../harness/memory-items.ts';

const refusal = (property: string) => ({ reason: `INVALID (${property})`, properties: [property] });
const FAX = refusal('fax');

function opened() {
  let nowMs = 0;
  const clock = { now: () => nowMs, sleep: async () => undefined };
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return { advance, breakers: createWriteBreakers({ status: createMemoryItems(), clock }) };
}

it.each([
  ['two refusals', [FAX, FAX], false],
  ['three refusals of one property', [FAX, FAX, FAX], true],
  ['three refusals without a property', Array(3).fill({ reason: 'FORBIDDEN', properties: [] }), true],
  ['refusals of three properties', [FAX, refusal('city'), refusal('state')], false],
  ['a write between refusals', [FAX, FAX, 'written' as const, FAX], false],
  ['a write after refusals', [FAX, FAX, FAX, 'written' as const], false],
  ['refusals after a write', ['written' as const, FAX, FAX, FAX], true],
])('%s', async (_, outcomes, isOpen) => {
  const { breakers } = opened();
  for (const outcome of outcomes) await breakers.learn('contacts', [outcome]);
  expect((await breakers.open('contacts')) !== undefined).toBe(isOpen);
  const together = opened();
  await together.breakers.learn('contacts', outcomes);
  expect((await together.breakers.open('contacts')) !== undefined).toBe(isOpen);
  expect(await together.breakers.open('companies')).toBeUndefined();
});

it('lets one purchase an hour pass while open, and all after a write', async () => {
  const { advance, breakers } = opened();
  await breakers.learn('contacts', [FAX, FAX, FAX]);
  const passes = async () => (await breakers.pass('contacts')).untilMs === undefined;
  expect([await passes(), (await breakers.pass('companies')).untilMs]).toEqual([false, undefined]);
  for (let hour = 0; hour < 2; hour += 1) {
    advance(HOUR_MS - 1);
    expect(await passes()).toBe(false);
    advance(1);
    expect([await passes(), await passes()]).toEqual([true, false]);
    await breakers.learn('contacts', [FAX]);
  }
  await breakers.learn('contacts', ['written']);
  expect([await passes(), await passes()]).toEqual([true, true]);
});
