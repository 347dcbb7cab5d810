import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import {
  newRecordState,
  openWaiting,
  type RecordState,
  recordPlace,
  type WaitingReason,
} from '#shared/records';
import { readTimedWaits, timedSentence } from '#shared/spend';
import { createMemoryItems } from '../../../builders/memory-items.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 14, 30);

type Wait = readonly [reason: WaitingReason, minutes: number, detail?: string];

async function waitingFor(waits: readonly Wait[]) {
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  for (const [index, [reason, minutes, detail]] of waits.entries()) {
    const untilMs = NOW_MS + minutes * MINUTE_MS;
    const opening = { runId: 'r', purpose: 'live', nowMs: NOW_MS, untilMs, reason } as const;
    const opened = openWaiting(newRecordState('contacts', `${index}`), opening);
    const value = { ...opened, waiting: { reason, untilMs, ...(detail && { detail }) } };
    await records.write({ key: `contacts#${index}`, value, expectedVersion: undefined });
  }
  return records;
}

async function sentences(waits: readonly Wait[]) {
  const found = await readTimedWaits(await waitingFor(waits), undefined);
  return found.map((wait) => timedSentence(wait, NOW_MS, 'UTC'));
}

describe('records that wait for a cause to end', () => {
  it('are told by reason, with the time of the first and of the last', async () => {
    expect(
      await sentences([
        ['HUBSPOT_UNAUTHORIZED', 15],
        ['out-of-credits', 12],
        ['HUBSPOT_UNAUTHORIZED', 5],
        ['queued', 0],
      ]),
    ).toEqual([
      '2 records wait. HubSpot refuses the access token. The first is retried by 21 Nov 2026, 14:35, the last by 21 Nov 2026, 14:45.',
      '1 record waits. The balance at the data service has too few credits for this lookup. Retried by 21 Nov 2026, 14:42.',
    ]);
  });

  it('name each rule that they wait by, up to three', async () => {
    const waits = ['a', 'b', 'b', 'c', 'd'].map(
      (name): Wait => ['free-sources-first', 5, `The rule "${name}" leaves it to free sources first.`],
    );
    const by = (name: string) => `The rule "${name}" leaves it to free sources first.`;
    const end = 'Retried by 21 Nov 2026, 14:35.';
    expect(await sentences(waits)).toEqual([
      `5 records wait. ${by('a')} ${by('b')} ${by('c')} More rules do so. ${end}`,
    ]);
    expect(await sentences(waits.slice(0, 4))).toEqual([
      `4 records wait. ${by('a')} ${by('b')} ${by('c')} ${end}`,
    ]);
    expect(await sentences([['out-of-credits', 5, 'Not for this line.']])).toEqual([
      `1 record waits. The balance at the data service has too few credits for this lookup. ${end}`,
    ]);
  });

  it('have no time while a person has stopped spending', async () => {
    expect(await sentences([['stopped-by-person', 5]])).toEqual([
      '1 record waits. A person stopped spending. It waits until a person resumes spending.',
    ]);
    const two = [5, 6].map((atMinute) => ['stopped-by-person', atMinute] as const);
    expect(await sentences(two)).toEqual([
      '2 records wait. A person stopped spending. They wait until a person resumes spending.',
    ]);
  });

  it('are counted by the sweep where they are more than are read at once', async () => {
    const records = await waitingFor(Array.from({ length: 1_001 }, () => ['too-many-doubts', 5] as const));
    const [alone] = await readTimedWaits(records, undefined);
    expect(alone).toMatchObject({ records: 1_000, isMore: true });
    const reasons = { 'too-many-doubts': 1_001 };
    const [counted] = await readTimedWaits(records, { records: {}, reasons, sinceMs: {}, atMs: NOW_MS });
    expect(counted).toMatchObject({ records: 1_001, isMore: true });
  });
});
