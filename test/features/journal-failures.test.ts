import { describe, expect, it } from 'vitest';
import { HOUR_MS, UpstreamError } from '#shared/kernel';
import { type JournalEntry, journalKind } from '#shared/records';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { openMemoryStore } from '../harness/memory-items.ts';
import { contact } from '../harness/people.ts';
import { liveOn, settleDown } from '../harness/steps.ts';
import { putsOf, touches, watchedStore } from '../harness/watched-store.ts';
import { createWorld, type World } from '../harness/world.ts';

/** Two contacts of one batch; the journal fails at some writes of the first one's entry. */
async function withFaultyJournal(fails: (expectedVersion: string | undefined) => boolean) {
  let faultyId: string | undefined;
  const store = watchedStore(openMemoryStore(), async (request, send) => {
    const isRefused = ({ value, version }: ReturnType<typeof putsOf<JournalEntry>>[number]) =>
      value.id === faultyId && fails(version);
    if (putsOf(request, journalKind).some(isRefused))
      throw new UpstreamError({ code: 'STORE_REFUSED', message: 'Too large.', retryable: false });
    return send();
  });
  const world = await createWorld({ store });
  const [first, second] = [await contact(world, 0), await contact(world, 1)];
  faultyId = first.id;
  await settleDown(world);
  const repair = () => {
    faultyId = undefined;
  };
  return { world, first, second, repair };
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
  const calls: string[] = [];
  const store = watchedStore(openMemoryStore(), (request, send) => {
    if (touches(request, journalKind)) calls.push(request.kind);
    return send();
  });
  const world = await createWorld({ store });
  await contact(world);
  await settleDown(world);
  expect(calls[0]).toBe('transact');
});
