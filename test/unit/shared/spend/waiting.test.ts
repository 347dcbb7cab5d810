import { describe, expect, it } from 'vitest';
import { spendPage } from '#inside/spend/page/page.ts';
import { buildReport } from '#inside/spend/report.ts';
import type { SpendRow } from '#inside/spend/schemas.ts';
import type { BudgetPace, BudgetsNow } from '#shared/credit-ledger';
import { DAY_MS, instant, MINUTE_MS, shortDay, utcDay } from '#shared/kernel';
import {
  eventThatEnds,
  newRecordState,
  openWaiting,
  type RecordState,
  recordPlace,
  type WaitingCount,
  type WaitingReason,
  waitingWords,
} from '#shared/records';
import { label, readTimedWaits, summarizeWaiting, type WaitingSummary, waitingRows } from '#shared/spend';
import { createMemoryItems } from '../../../harness/memory-items.ts';
import { textAt } from '../../functions/report-spend/read-html.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 14, 30);

/** Budgets that refuse nothing, and that pay at this pace. */
function budgetsOf(pace: BudgetPace): BudgetsNow {
  return { states: () => [], left: () => 0, refusal: () => undefined, planned: () => 0, pace: () => pace };
}

/** So many of an import and one lead in turn, and one that waits for HubSpot. */
async function queueOf(imported: number) {
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  const wait = async (
    id: string,
    purpose: 'live' | 'import',
    more: { reason?: WaitingReason; nowMs?: number } = {},
  ) => {
    const opening = {
      runId: id,
      purpose,
      nowMs: NOW_MS,
      untilMs: NOW_MS,
      reason: 'queued',
      ...more,
    } as const;
    const value = openWaiting(newRecordState('contacts', id), opening);
    await records.write({ key: `contacts#${id}`, value, expectedVersion: undefined });
  };
  for (let index = 0; index < imported; index += 1)
    await wait(`1${index}`, 'import', { nowMs: NOW_MS - DAY_MS + index });
  await wait('2', 'live');
  await wait('3', 'live', { reason: 'HUBSPOT_REFUSES' });
  return records;
}

/** Sources that nobody has counted, with budgets of this pace. */
function sourcesOf(records: Awaited<ReturnType<typeof queueOf>>, leftPerDay: number) {
  const budgetsNow = budgetsOf({ leftPerDay, closedMs: 0 });
  return { records, counted: async () => undefined, isStoppedByPerson: false, budgetsNow, nowMs: NOW_MS };
}

const row = (purpose: 'live' | 'import', credits: number, count: number): SpendRow => {
  return { day: '2026-11-20', operation: 'reverseEmail', purpose, outcome: 'match', credits, count };
};

describe('who waits', () => {
  it('is told by purpose, since when, and how many days still at the average price and the budgets', async () => {
    const sources = sourcesOf(await queueOf(40), 16);
    expect(await summarizeWaiting(sources, [row('live', 30, 10), row('import', 8, 4)])).toEqual({
      inTurn: [
        { purpose: 'live', records: 1, credits: 3, oldestMs: NOW_MS, days: 1 },
        { purpose: 'import', records: 40, credits: 80, oldestMs: NOW_MS - DAY_MS, days: 5 },
      ],
      timed: [
        {
          reason: 'HUBSPOT_REFUSES',
          purpose: 'live',
          objectType: 'contacts',
          records: 1,
          earliestMs: NOW_MS,
          latestMs: NOW_MS,
        },
      ],
      timedCredits: 3,
    });
  });

  it('counts the admitted records before the queued ones, because they use the budget first', async () => {
    const records = await queueOf(40);
    for (const reason of ['queued', 'budget'] as const)
      for (let index = 0; index < 20; index += 1) {
        const id = `${reason}${index}`;
        const opening = { runId: id, purpose: 'import', nowMs: NOW_MS, untilMs: NOW_MS, reason } as const;
        const { run, ...state } = openWaiting(newRecordState('contacts', id), opening);
        if (!run) throw new Error('The run is not open.');
        const value = { ...state, run: { ...run, overrulesReserve: true as const } };
        await records.write({ key: `contacts#${id}`, value, expectedVersion: undefined });
      }
    const { inTurn, timed } = await summarizeWaiting(sourcesOf(records, 16), [row('import', 8, 4)]);
    expect(inTurn.at(-1)).toMatchObject({ purpose: 'import', records: 40, days: 10 });
    expect(timed).toContainEqual(expect.objectContaining({ reason: 'admitted', records: 20 }));
  });

  it('has no end where no budget is left for it', async () => {
    const { inTurn } = await summarizeWaiting(sourcesOf(await queueOf(1), 0), []);
    expect(inTurn.map(({ days }) => days)).toEqual([undefined, undefined]);
  });

  it('waits for the person who stopped spending: without the time of a budget or of a retry', async () => {
    const refusal = { budget: 'total/day', opensAtMs: NOW_MS + DAY_MS } as ReturnType<BudgetsNow['refusal']>;
    const sources = sourcesOf(await queueOf(2), 1);
    const budgetsNow = { ...sources.budgetsNow, refusal: () => refusal };
    const waiting = await summarizeWaiting({ ...sources, budgetsNow, isStoppedByPerson: true }, []);
    const reason = 'stopped-by-person';
    expect(waiting.inTurn).toEqual([
      { purpose: 'live', records: 1, credits: 1, oldestMs: NOW_MS, reason },
      { purpose: 'import', records: 2, credits: 2, oldestMs: NOW_MS - DAY_MS, reason },
    ]);
    for (const row of waitingRows({ ...waiting, timed: [] }, { nowMs: NOW_MS, timeZone: 'UTC' }))
      expect(row).toMatchObject({ why: waitingWords(reason).why, ends: `Until ${eventThatEnds(reason)}` });
  });

  it('counts a thousand of a kind at once, and takes the number of the last count beyond', async () => {
    const records = await queueOf(1_500);
    const ask = (counted: WaitingCount['last']) =>
      summarizeWaiting({ ...sourcesOf(records, 16), counted: async () => counted }, []);
    const numbers = ({ inTurn, many }: WaitingSummary) => [inTurn.at(-1)?.records, many];
    expect(numbers(await ask(undefined))).toEqual([1_000, { countedAtMs: undefined }]);
    const last = { records: { 'in-turn-import': 1_490 }, reasons: {}, sinceMs: {}, atMs: NOW_MS };
    const waiting = await ask(last);
    expect(numbers(waiting)).toEqual([1_490, { countedAtMs: NOW_MS }]);
    const report = { nowMs: NOW_MS, timeZone: 'UTC', account: 'main', rows: [], newest: undefined };
    expect(textAt(spendPage(buildReport({ ...report, budgets: [], waiting })), 'id="how-counted"')).toContain(
      instant(NOW_MS, 'UTC'),
    );
  });

  it('stands on the page, with its last day', async () => {
    const waiting = await summarizeWaiting(sourcesOf(await queueOf(30), 2), []);
    const when = { nowMs: NOW_MS, timeZone: 'UTC' };
    const page = spendPage(
      buildReport({ ...when, account: 'main', rows: [], newest: undefined, budgets: [], waiting }),
    );
    const row = textAt(page, 'data-wait="import"');
    const lastDay = shortDay(utcDay(NOW_MS + 15 * DAY_MS));
    for (const words of [label('import'), '30', lastDay]) expect(row).toContain(words);
    const calm = spendPage(
      buildReport({ ...when, account: 'main', rows: [], newest: undefined, budgets: [] }),
    );
    expect(calm).not.toContain('id="waiting"');
  });
});

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
