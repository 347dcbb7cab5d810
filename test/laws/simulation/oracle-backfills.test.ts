import { expect, it } from 'vitest';
import { backfillFaults } from './oracle/backfills.ts';
import type { Evidence, Halt } from './oracle/evidence.ts';
import { acceptanceFaults } from './oracle/people.ts';

const BEGUN_MS = Date.UTC(2026, 10, 23, 12);
const MINUTE_MS = 60_000;
const at = (minutes: number) => BEGUN_MS + minutes * MINUTE_MS;

/** Minute, credits, and whose purpose. */
type Request = readonly [minute: number, credits: number, purpose?: string];

interface Course {
  readonly requests?: readonly Request[];
  readonly halts?: readonly Halt[];
  readonly state?: string;
  readonly ended?: number;
  readonly letIn?: number;
  readonly spent?: number;
}

/** A backfill of two contacts, quoted at 6 credits, 3 for each; all requests are about the first contact. */
function faultsOf(course: Course): string[] {
  const { requests = [], halts = [], state = 'done', ended = 2, letIn = 2 } = course;
  const rows = requests.flatMap(([minute, credits, purpose = 'backfill'], index) => {
    const time = new Date(at(minute)).toISOString();
    const about = ['contacts#1', purpose, `r${index}`];
    return [
      [time, 'pending', String(credits), ...about],
      [time, 'posted', String(credits), ...about],
    ];
  });
  const header = ['time', 'kind', 'amountCredits', 'record', 'purpose', 'reservationId'];
  const paid = requests.reduce((sum, [, credits, purpose]) => sum + (purpose ? 0 : credits), 0);
  const strata = [{ letIn, hits: ended, misses: 0, others: 0 }];
  const status = { state, records: 2, ended, spent: course.spent ?? paid, strata };
  const known = { id: 'a', objectType: 'contacts', atMs: BEGUN_MS, worst: 6, dearest: 3 };
  return backfillFaults({
    bill: {
      requests: requests.map(([minute, credits]) => ({
        method: 'GET',
        path: '/api/v1/people/profile?email=a',
        status: 200,
        atMs: at(minute),
        answeredAtMs: at(minute),
        credits,
      })),
    },
    told: { ledger: [header, ...rows].map((row) => row.join(',')).join('\r\n') },
    backfills: [{ ...known, halts, status: JSON.stringify(status) }],
  } as unknown as Evidence);
}

const PAUSED = { atMs: at(2), untilMs: at(40), maxCredits: 0 };
const STOPPED = { atMs: at(2), maxCredits: 1 };

it.each<[string, Course, string[]]>([
  ['one that costs what it says', { requests: [[1, 3]] }, []],
  [
    'more than was agreed for a record',
    { requests: [1, 3].map((minute) => [minute, 2]) },
    ['backfill a took 4 credits for contacts#1, of 3'],
  ],
  [
    'more than was agreed in all',
    { requests: [1, 3, 5].map((minute) => [minute, 3]) },
    ['backfill a took 9 credits, of 6 agreed to', 'backfill a took 9 credits for contacts#1, of 3'],
  ],
  [
    'a request while it is paused',
    { requests: [[3, 1]], halts: [PAUSED] },
    [
      'backfill a was halted, and 1 more requests were charged',
      'backfill a was halted with 0 credits in flight, and 1 were charged',
    ],
  ],
  ['a request that a person made meanwhile', { requests: [[3, 1, 'manual']], halts: [PAUSED] }, []],
  ['a request after it was resumed', { requests: [[41, 1]], halts: [PAUSED] }, []],
  ['a stop', { requests: [[1, 1]], halts: [STOPPED], state: 'stopped', ended: 1 }, []],
  ['one that is not over', { state: 'running' }, ['backfill a did not come to its end: running']],
  ['a stop that nobody wished', { state: 'stopped' }, ['backfill a did not come to its end: stopped']],
  ['a member that never ended', { ended: 1 }, ['backfill a is done with 1 ends and 2 begun of 2 records']],
  [
    'a member that ended twice',
    { ended: 3, halts: [STOPPED], state: 'stopped' },
    ['backfill a ended 3 of 2 that were begun'],
  ],
  [
    'a charge that it does not count',
    { requests: [[1, 3]], spent: 0 },
    ['backfill a says it spent 0 credits, the ledger 3'],
  ],
])('judges %s', (_, course, expected) => {
  expect(faultsOf(course)).toEqual(expected);
});

it.each([
  ['written after it was accepted', 1, true, []],
  [
    'written before it was accepted',
    -1,
    true,
    ['jobtitle of contact 1 was written though it was not accepted'],
  ],
  ['written where it need not be accepted', -1, false, []],
])('judges a title %s', (_, minute, isShadowed, expected) => {
  const entry = { value: 'Potter', timestamp: at(minute), sourceId: '7001' };
  const evidence = {
    agreed: { isShadowed, appId: 7001 },
    accepted: [{ fromMs: BEGUN_MS, toMs: at(1) }],
    hubSpot: { records: { '0-1': { 1: { id: '1', history: { jobtitle: [entry] } } } } },
  };
  expect(acceptanceFaults(evidence as unknown as Evidence)).toEqual(expected);
});
