import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import {
  eventThatEnds,
  newRecordState,
  openWaiting,
  type RecordState,
  recordPlace,
  type WaitingReason,
  waitingWords,
} from '#shared/records';
import { readTimedWaits, waitingRows } from '#shared/spend';
import { createMemoryItems } from '../../../harness/memory-items.ts';

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

async function told(waits: readonly Wait[]) {
  return readTimedWaits(await waitingFor(waits), undefined);
}

function rowsFor(timed: Awaited<ReturnType<typeof told>>) {
  return waitingRows({ inTurn: [], timed, timedCredits: 0 }, { nowMs: NOW_MS, timeZone: 'UTC' });
}

describe('records that wait for a cause to end', () => {
  it('are told by reason, with the time of the first and of the last', async () => {
    const at = (minutes: number) => NOW_MS + minutes * MINUTE_MS;
    const waits = await told([
      ['HUBSPOT_UNAUTHORIZED', 15],
      ['out-of-credits', 12],
      ['HUBSPOT_UNAUTHORIZED', 5],
      ['queued', 0],
    ]);
    expect(waits).toMatchObject([
      { reason: 'HUBSPOT_UNAUTHORIZED', records: 2, earliestMs: at(5), latestMs: at(15) },
      { reason: 'out-of-credits', records: 1, earliestMs: at(12), latestMs: at(12) },
    ]);
    expect(rowsFor(waits)).toMatchObject([
      { title: waitingWords('HUBSPOT_UNAUTHORIZED').why, records: '2', ends: 'Next: 14:35. Last: 14:45' },
      { title: waitingWords('out-of-credits').why, records: '1', ends: 'Next: 14:42' },
    ]);
  });

  it('name each rule that they wait by, up to three', async () => {
    const rule = (name: string) => `The rule "${name}" waits.`;
    const waits = ['a', 'b', 'b', 'c', 'd'].map((name): Wait => ['free-sources-first', 5, rule(name)]);
    const [wait, other] = await told([...waits, ['out-of-credits', 5, 'Not for this line.']]);
    if (!wait || !other) throw new Error('Two reasons wait.');
    const sentence = rowsFor([wait])[0]?.title ?? '';
    expect(['a', 'b', 'c', 'd'].filter((name) => sentence.includes(rule(name)))).toEqual(['a', 'b', 'c']);
    expect(other).not.toHaveProperty('rules');
  });

  it('have no time while a person has stopped spending', async () => {
    const [wait] = await told([['stopped-by-person', 5]]);
    if (!wait) throw new Error('A record waits.');
    expect(rowsFor([wait])[0]?.ends).toBe(`Until ${eventThatEnds('stopped-by-person')}`);
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
