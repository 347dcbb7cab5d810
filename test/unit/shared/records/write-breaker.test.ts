import { expect, it } from 'vitest';
import { createWriteBreakers } from '#inside/records/write-breaker.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';

const refusal = (property: string) => ({ reason: `INVALID (${property})`, properties: [property] });
const FAX = refusal('fax');

function opened() {
  const clock = { now: () => 0, sleep: async () => undefined };
  return createWriteBreakers({ status: createMemoryItems(), clock });
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
  const breakers = opened();
  for (const outcome of outcomes) await breakers.learn('contacts', [outcome]);
  expect((await breakers.open('contacts')) !== undefined).toBe(isOpen);
  const together = opened();
  await together.learn('contacts', outcomes);
  expect((await together.open('contacts')) !== undefined).toBe(isOpen);
  expect(await together.open('companies')).toBeUndefined();
});
