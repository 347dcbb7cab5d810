import { describe, expect, it } from 'vitest';
import { HOUR_MS, UpstreamError } from '#shared/kernel';
import type { RecordName } from '../builders/hubspot-portal.ts';
import { contact } from '../builders/people.ts';
import { liveOn, settleDown } from '../builders/steps.ts';
import { createWorld, type World } from '../builders/world.ts';

/** Two contacts of one batch; the journal fails at some writes of the first one's entry. */
async function withFaultyJournal(fails: (expectedVersion: string | undefined) => boolean) {
  const world = await createWorld();
  const [first, second] = [await contact(world, 0), await contact(world, 1)];
  const { write } = world.stores.journal;
  const faulty: typeof write = async (change) => {
    const isFirst = change.value.id === first.id;
    if (isFirst && fails(change.expectedVersion))
      throw new UpstreamError({ code: 'STORE_REFUSED', message: 'Too large.', retryable: false });
    return write(change);
  };
  Object.assign(world.stores.journal, { write: faulty });
  await settleDown(world);
  return { world, first, second, repair: () => void Object.assign(world.stores.journal, { write }) };
}

async function statesOf(world: World, record: RecordName): Promise<readonly string[]> {
  const entry = await world.services.journal.read(record, 1);
  return [...new Set(entry?.changes.map(({ state }) => state))];
}

const CASES = [
  { case: 'cannot be told of a write', fails: (version?: string) => version === undefined, isWritten: false },
  {
    case: 'cannot be told what became of it',
    fails: (version?: string) => version !== undefined,
    isWritten: true,
  },
];

describe.each(CASES)('a record of which the journal $case', ({ fails, isWritten }) => {
  it('fails alone, and ends when the journal works again, paid for once', async () => {
    const { world, first, second, repair } = await withFaultyJournal(fails);
    expect(await world.state(second)).toMatchObject({ outcome: { kind: 'enriched' } });
    expect(await statesOf(world, second)).toEqual(['written']);
    expect((await world.state(first))?.outcome).toBeUndefined();
    expect((await world.portal.properties(first))['jobtitle'] !== undefined).toBe(isWritten);
    const spent = world.charged();
    repair();
    await liveOn(world, { forMs: HOUR_MS });
    expect(await world.state(first)).toMatchObject({ outcome: { kind: 'enriched' } });
    expect(await statesOf(world, first)).toEqual(['written']);
    expect(world.charged()).toBe(spent);
  });
});

it('a run that has only begun looks for no earlier write of its own', async () => {
  const world = await createWorld();
  await contact(world);
  const { read, write } = world.stores.journal;
  const calls: string[] = [];
  const noted = <A extends readonly unknown[], R>(name: string, call: (...given: A) => R) => {
    return (...given: A) => {
      calls.push(name);
      return call(...given);
    };
  };
  Object.assign(world.stores.journal, { read: noted('read', read), write: noted('write', write) });
  await settleDown(world);
  expect(calls[0]).toBe('write');
});
