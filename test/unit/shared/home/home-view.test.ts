import { describe, expect, it } from 'vitest';
import { type HomeInput, homeView } from '#inside/home/home-view.ts';
import { buildReport } from '#inside/spend/report.ts';
import type { WaitingLine } from '#inside/spend/waiting.ts';
import type { BudgetState } from '#shared/credit-ledger';
import { parsePolicy } from '#shared/field-policy';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import type { OpenBackfill, SpendReport, Stop } from '#shared/spend';

const NOW_MS = Date.UTC(2026, 10, 21, 14, 30);

function viewWith(report: Partial<SpendReport>, more: Partial<HomeInput> = {}) {
  const when = { nowMs: NOW_MS, timeZone: 'UTC' };
  const built = buildReport({ ...when, account: 'main', rows: [], newest: undefined, budgets: [] });
  return homeView({
    report: { ...built, ...report },
    reviews: { values: [] },
    doubts: [],
    backfills: [],
    charges: [],
    claims: [],
    notices: { due: 0, countedAtMs: NOW_MS },
    policy: parsePolicy({ budgets: { perDay: 100 } }),
    days: [],
    waits: ({ fromMs, toMs }) => toMs - fromMs,
    definitions: {},
    ...more,
  });
}

const STOPPED: Stop = {
  kind: 'stopped-by-person',
  what: 'A person stopped spending.',
  whatToDo: 'spend resume',
};

describe('a stop on the home page', () => {
  it('names no command if a button of the page ends it', () => {
    const others: Stop[] = ['reserved-for-leads', 'too-many-doubts', 'key-refused'].map((kind) => ({
      ...STOPPED,
      kind: kind as Stop['kind'],
    }));
    const needs = viewWith({ stops: [STOPPED, ...others] }).needs;
    const named = needs.map((need) => 'toDo' in need && need.toDo.includes('spend resume'));
    expect(named).toEqual([false, false, false, true]);
  });
});

const BACKFILL: OpenBackfill = {
  id: 'a',
  state: 'quoted',
  objectType: 'contacts',
  scope: 'all',
  records: 100,
  seen: 120,
  spent: 4,
  createdAtMs: NOW_MS - DAY_MS,
  maxCredits: 12,
  days: 2,
  examples: [],
} as unknown as OpenBackfill;

describe('a backfill on the home page', () => {
  it.each([
    ['quoted', {}, ['start', 'stop'], NOW_MS - DAY_MS],
    ['approval', { trial: { damage: 0 } }, ['approve', 'stop'], undefined],
  ] as const)('that is %s needs a decision', (state, more, moves, sinceMs) => {
    const backfill = { ...BACKFILL, state, ...more } as unknown as OpenBackfill;
    const view = viewWith({}, { backfills: [backfill] });
    const need = view.needs.find(({ kind }) => kind === 'backfill');
    expect([need, need?.sinceMs, view.backfills]).toMatchObject([{ backfillId: 'a', moves }, sinceMs, []]);
  });

  it.each([
    ['paused', { pause: { by: 'person', atMs: NOW_MS - 1, reason: 'By a person.' } }, ['resume', 'stop']],
    ['running', { holding: { sinceMs: NOW_MS - 1, reason: 'No budget.' } }, ['pause', 'stop']],
    ['trial', {}, ['pause', 'stop']],
  ] as const)('that is %s is listed with its progress and moves', (state, more, moves) => {
    const backfill = { ...BACKFILL, ended: 40, state, ...more } as unknown as OpenBackfill;
    const view = viewWith({}, { backfills: [backfill] });
    expect(view.needs.some(({ kind }) => kind === 'backfill')).toBe(false);
    expect(view.backfills).toMatchObject([{ backfillId: 'a', ended: 40, records: 100, moves }]);
  });

  it('says what its approval costs, and what its trial found', () => {
    const trial = { matchRate: 0.9, damage: 0.02, expected: 80 };
    const more = { quote: { atMost: 200 }, expected: 80, trial, examples: ['7'] };
    const backfill = { ...BACKFILL, state: 'approval', ended: 10, ...more } as unknown as OpenBackfill;
    const need = viewWith({}, { backfills: [backfill] }).needs.find(({ kind }) => kind === 'backfill');
    expect(need).toMatchObject({
      maxCredits: 12,
      expectedCredits: 80,
      atMostCredits: 200,
      days: 2,
      trial: { matchRate: 0.9, damage: 0.02 },
      examples: ['contacts#7'],
    });
  });
});

function budget(name: string, leftCredits: number): BudgetState {
  const limitCredits = 1_000;
  const usedCredits = limitCredits - leftCredits;
  return { budget: name, limitCredits, usedCredits, leftCredits, resetsAtMs: NOW_MS + 9 * HOUR_MS };
}

describe('imports that wait because credits are reserved for leads', () => {
  const refusal = {
    ...budget('total/day', 10),
    keptCredits: 10,
    neededCredits: 3,
    opensAtMs: NOW_MS + DAY_MS,
  };
  const line: WaitingLine = {
    purpose: 'import',
    records: 40,
    credits: 120,
    oldestMs: NOW_MS - HOUR_MS,
    refusal,
  };
  const startOf = (budgets: readonly BudgetState[], admitted = 0) => {
    const times = { earliestMs: NOW_MS, latestMs: NOW_MS };
    const timed = [{ reason: 'admitted', records: admitted, ...times }];
    return viewWith({ budgets, waiting: { inTurn: [line], timed, timedCredits: 0 } }).waiting[0]?.admit;
  };

  it.each([
    ['of the day', [budget('total/day', 10), budget('total/month', 500)], 3],
    ['of the purpose', [budget('total/day', 500), budget('import/day', 7)], 2],
    ['of all records', [budget('total/day', 500), budget('refresh/day', 0)], 40],
    ['that is used up', [budget('total/day', -5)], 0],
  ])('can be started as far as the budget %s pays', (_, budgets, records) => {
    const admit = { purpose: 'import', records, maxCredits: records * 3 };
    expect(startOf(budgets)).toEqual(records === 0 ? undefined : admit);
  });

  it('are not offered the credits that admitted records may use', () => {
    const left = [budget('total/day', 10)];
    expect([1, 3].map((admitted) => startOf(left, admitted)?.records)).toEqual([2, undefined]);
  });
});
