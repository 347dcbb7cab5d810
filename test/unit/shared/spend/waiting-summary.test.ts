import { describe, expect, it } from 'vitest';
import { spendPage } from '#inside/spend/page/page.ts';
import { buildReport } from '#inside/spend/report.ts';
import type { SpendRow } from '#inside/spend/schemas.ts';
import type { BudgetPace, BudgetsNow } from '#shared/credit-ledger';
import { DAY_MS, instant, shortDay, utcDay } from '#shared/kernel';
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
import { label, summarizeWaiting, type WaitingSummary, waitingRows } from '#shared/spend';
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
function sourcesOf(records: Awaited<ReturnType<typeof queueOf>>, creditsPerDay: number) {
  const budgetsNow = budgetsOf({ creditsPerDay, closedMs: 0 });
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
