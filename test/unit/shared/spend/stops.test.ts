import { describe, expect, it } from 'vitest';
import { CLOSED } from '#inside/questions/breakers.ts';
import { createWriteBreakers } from '#inside/records/write-breaker.ts';
import { reportView, spendPage } from '#inside/spend/page/page.ts';
import { buildReport } from '#inside/spend/report.ts';
import type { StopKind } from '#inside/spend/stops.ts';
import { LOG_PROBLEMS } from '#shared/credit-ledger';
import type { ObjectType } from '#shared/crm';
import { DAY_MS, instant, MINUTE_MS } from '#shared/kernel';
import type { BreakerState } from '#shared/questions';
import { newRecordState, type RecordState, recordPlace, waitingWords } from '#shared/records';
import { readStops, readTimedWaits, type StopSources, stopTimes, widgetLinks, widgetOf } from '#shared/spend';
import { createMemoryItems } from '../../../harness/memory-items.ts';
import { figuresAt, textAt } from '../../functions/report-spend/read-html.ts';
import { handClock } from './random-log.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 14, 30);
const SINCE_MS = NOW_MS - 30 * MINUTE_MS;
const LATER_MS = NOW_MS + 10 * MINUTE_MS;

const BUDGET = {
  budget: 'total/day',
  limitCredits: 100,
  usedCredits: 1,
  leftCredits: 99,
  resetsAtMs: NOW_MS + DAY_MS,
};

async function world(breakers: BreakerState, refused?: ObjectType) {
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  const waits = async (id: string, reason: string, objectType: ObjectType = 'contacts') => {
    const state = newRecordState(objectType, id);
    const waitsFor = { whom: 'hubspot' as const, sinceMs: SINCE_MS };
    const run = { id: 'r', purpose: 'live' as const, openedAtMs: 0, credits: 0, waitsFor };
    const value = { ...state, run, waiting: { reason, untilMs: LATER_MS } };
    await records.write({ key: id, value, expectedVersion: undefined });
  };
  for (const reason of [
    'key-refused',
    'wrong-address',
    'out-of-credits',
    'charges-above-list',
    'too-many-doubts',
    'stopped-by-person',
    'HUBSPOT_REFUSES',
  ])
    for (const index of [1, 2, 3]) await waits(`${reason}${index}`, reason);
  await waits('company', 'HUBSPOT_REFUSES', 'companies');
  const clock = handClock();
  const writeBreakers = createWriteBreakers({ status: createMemoryItems(), clock });
  const refusal = { reason: 'INVALID_OPTION (industry)', properties: ['industry'] };
  if (refused) await writeBreakers.learn(refused, [refusal, refusal, refusal]);
  const checkBooks: StopSources['checkBooks'] = async () => ({ problems: [] });
  return {
    records,
    waits,
    sources: { breakers: { read: async () => breakers }, writeBreakers, checkBooks },
  };
}

const NOTHING = { nowMs: NOW_MS, timeZone: 'UTC', account: 'main', rows: [], newest: undefined };

/** A budget that is used up, and who waits for it. */
const USED_UP = {
  budgets: [{ ...BUDGET, usedCredits: 100, leftCredits: 0 }],
  waiting: {
    inTurn: [{ purpose: 'import', records: 19, credits: 19, oldestMs: 0 }],
    timed: [{ reason: 'budget', records: 124, earliestMs: NOW_MS, latestMs: NOW_MS }],
    timedCredits: 0,
  },
} as const;

async function report({ records, sources }: Pick<Awaited<ReturnType<typeof world>>, 'records' | 'sources'>) {
  const stopFacts = await readStops(sources);
  const waiting = { inTurn: [], timed: await readTimedWaits(records, undefined), timedCredits: 0 };
  return buildReport({ ...NOTHING, budgets: [BUDGET], stopFacts, waiting });
}

const KEY = { probeAtMs: LATER_MS, sinceMs: SINCE_MS, keyHash: '' };

const CASES: readonly [StopKind, BreakerState, setting: string | undefined][] = [
  ['key-refused', { ...CLOSED, keyRefused: KEY }, 'DATA_SERVICE_API_KEY'],
  ['wrong-address', { ...CLOSED, keyRefused: { ...KEY, why: 'wrong-address' } }, 'DATA_SERVICE_BASE_URL'],
  [
    'out-of-credits',
    { ...CLOSED, outOfCredits: { priceCredits: 3, untilMs: LATER_MS, sinceMs: SINCE_MS } },
    undefined,
  ],
  [
    'charges-above-list',
    { ...CLOSED, overcharged: { sinceMs: SINCE_MS }, probe: { atMs: LATER_MS } },
    undefined,
  ],
  [
    'too-many-doubts',
    { doubtsInRow: 3, doubtful: { sinceMs: SINCE_MS }, probe: { atMs: LATER_MS } },
    undefined,
  ],
];

describe('a stop', () => {
  it.each(CASES)('stands on page, widget and in JSON: %s', async (kind, breakers, setting) => {
    const made = await report(await world(breakers));
    const times = { sinceMs: SINCE_MS, untilMs: LATER_MS, records: 3 };
    expect(made.stops).toEqual([expect.objectContaining({ kind, ...times })]);
    const [stop] = made.stops;
    if (!stop) throw new Error('There is no stop.');
    const named = 'setting' in stop ? stop.setting : undefined;
    expect(named?.split(/\W/)[0]).toBe(setting);
    for (const shown of [
      spendPage(made),
      widgetOf(reportView(made, widgetLinks('arn:aws:lambda:x', {})), 'dark'),
    ]) {
      const notice = textAt(shown, `data-stop="${kind}"`);
      for (const words of [stop.what, stopTimes(stop, NOW_MS, 'UTC'), stop.whatToDo])
        expect(notice).toContain(words);
      for (const atMs of [SINCE_MS, LATER_MS]) expect(notice).toContain(instant(atMs, 'UTC'));
      if (named) expect(shown).toContain(`<code>${named}</code>`);
    }
  });

  it('is a ledger that does not hold: on page and widget, before all others', async () => {
    const { sources, ...rest } = await world({ ...CLOSED, keyRefused: KEY });
    const code = 'contents-changed';
    const problems = [{ seq: 17, code, problem: LOG_PROBLEMS[code] } as const];
    const broken = { ...sources, checkBooks: async () => ({ problems }) };
    const made = await report({ ...rest, sources: broken });
    expect(made.stops.map(({ kind }) => kind)).toEqual(['ledger-broken', 'key-refused']);
    expect(made.stops[0]).toMatchObject({ params: { seq: 17, problem: code } });
    for (const shown of [
      spendPage(made),
      widgetOf(reportView(made, widgetLinks('arn:aws:lambda:x', { stack: 'crm' })), 'dark'),
    ]) {
      const notice = textAt(shown, 'data-stop="ledger-broken"');
      for (const words of ['17', LOG_PROBLEMS[code], 'ledger verify']) expect(notice).toContain(words);
    }
    const closed = await world(CLOSED);
    const alone = await report({ ...closed, sources: { ...closed.sources, checkBooks: broken.checkBooks } });
    const stopsOn = (page: string) => page.match(/data-stop="[\w-]+"/g);
    expect(stopsOn(spendPage(made))?.[0]).toBe('data-stop="ledger-broken"');
    expect(stopsOn(spendPage(made))?.length).toBeGreaterThan(1);
    expect(stopsOn(spendPage(alone))).toEqual(['data-stop="ledger-broken"']);
  });

  it('of HubSpot names what it refuses, of each kind of records for itself', async () => {
    const made = await report(await world(CLOSED, 'companies'));
    expect(made.stops).toEqual([expect.objectContaining({ kind: 'writes-refused', records: 1 })]);
    expect(textAt(spendPage(made), 'data-stop="writes-refused"')).toContain('INVALID_OPTION (industry)');
  });

  it('of credits that were missing once is over with its time', async () => {
    const untilMs = NOW_MS - 5 * MINUTE_MS;
    const ended = await world({ ...CLOSED, outOfCredits: { priceCredits: 3, sinceMs: SINCE_MS, untilMs } });
    expect((await report(ended)).stops).toEqual([]);
  });

  it.each(['HUBSPOT_UNAUTHORIZED', 'HUBSPOT_DAILY_LIMIT'])(
    'of HubSpot as a whole is told by the records that wait for it: %s',
    async (reason) => {
      const place = await world(CLOSED);
      await place.waits('lead', reason);
      const { stops } = await report(place);
      expect(stops).toEqual([
        expect.objectContaining({
          kind: 'hubspot-unavailable',
          params: { reason },
          records: 1,
          sinceMs: SINCE_MS,
          what: waitingWords(reason).why,
        }),
      ]);
    },
  );

  it('of HubSpot is none where one record alone waits for it', async () => {
    const place = await world(CLOSED);
    for (const reason of ['HUBSPOT_LOCKED', 'HUBSPOT_RECORD_UNREACHABLE', 'HUBSPOT_TIME_SHORT'])
      await place.waits(reason, reason);
    expect((await report(place)).stops).toEqual([]);
  });

  it.each<[BreakerState, StopKind]>([
    [CLOSED, 'budget-used-up'],
    [{ ...CLOSED, keyRefused: KEY }, 'key-refused'],
    [
      { ...CLOSED, outOfCredits: { priceCredits: 3, untilMs: LATER_MS, sinceMs: SINCE_MS } },
      'out-of-credits',
    ],
  ])("tells nothing that follows by itself while a person's stop lasts: %j", async (breakers, kind) => {
    const stopped = { sinceMs: SINCE_MS, reason: 'budget review' };
    const stopOf = async (state: BreakerState) => {
      const { sources } = await world(state);
      const stopFacts = await readStops(sources);
      const made = buildReport({ ...NOTHING, ...USED_UP, stopFacts });
      return made.stops.find((stop) => stop.kind === kind);
    };
    const reason = kind === 'budget-used-up' ? 'budget' : kind;
    expect((await stopOf(breakers))?.whatToDo).toBe(waitingWords(reason).toDo);
    const under = await stopOf({ ...breakers, stopped });
    expect(waitingWords(reason, undefined, true).toDo).not.toBe(waitingWords(reason).toDo);
    expect(under).toMatchObject({
      whatToDo: waitingWords(reason, undefined, true).toDo,
      untilResumed: true,
      untilMs: undefined,
    });
    expect(under).not.toHaveProperty('records');
  });

  it('of a used-up budget counts the queued records and those that the budget has refused', () => {
    expect(buildReport({ ...NOTHING, ...USED_UP }).stops).toMatchObject([
      { kind: 'budget-used-up', records: 143 },
    ]);
  });

  it('of a budget is one, also if its reserve for leads holds other records back', () => {
    const state = { ...BUDGET, usedCredits: 99, leftCredits: 1, neededCredits: 3, opensAtMs: LATER_MS };
    const line = { records: 2, credits: 6, oldestMs: SINCE_MS };
    const leads = { ...line, purpose: 'live' as const, refusal: state };
    const imports = { ...line, purpose: 'import' as const, refusal: { ...state, keptCredits: 1 } };
    const stops = [[imports], [leads, imports]].map((inTurn) => {
      const waiting = { inTurn, timed: [], timedCredits: 0 };
      return buildReport({ ...NOTHING, budgets: [state], waiting }).stops;
    });
    expect(stops).toMatchObject([
      [{ kind: 'reserved-for-leads', records: 2 }],
      [{ kind: 'budget-used-up', records: 4 }],
    ]);
  });

  it('is a budget that is missing, and one for everything that is used up', () => {
    const waiting = {
      inTurn: [{ purpose: 'import' as const, records: 1_200, credits: 9, oldestMs: 0 }],
      timed: [],
      timedCredits: 0,
    };
    const none = buildReport({ ...NOTHING, budgets: [], waiting });
    expect(none.stops).toEqual([expect.objectContaining({ kind: 'no-budget', records: 1_200 })]);
    expect(figuresAt(spendPage(none), 'data-stop="no-budget"')).toContain('1,200');
    const usedUp = buildReport({
      ...NOTHING,
      budgets: [
        { ...BUDGET, usedCredits: 100, leftCredits: 0 },
        { ...BUDGET, budget: 'refresh/day', leftCredits: 0 },
      ],
    });
    expect(usedUp.stops).toMatchObject([{ kind: 'budget-used-up', params: { budget: 'total/day' } }]);
    expect(textAt(spendPage(usedUp), 'data-stop="budget-used-up"')).toContain(
      instant(BUDGET.resetsAtMs, 'UTC'),
    );
  });
});
