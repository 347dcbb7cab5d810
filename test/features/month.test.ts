import { describe, expect, it } from 'vitest';
import { readLog, verifyLog } from '#shared/credit-ledger';
import { backfillKind } from '#shared/extensions/backfill';
import { parsePolicy } from '#shared/field-policy';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import { because, explanationText, historyOf, RECORD_PLACES, recordKind } from '#shared/records';
import { type Month, simulateMonth } from '../../infra/local/month/month.ts';
import { isPortalState } from '../../infra/sandbox/hubspot/state.ts';

const END_MS = Date.UTC(2026, 10, 21, 15, 20);
const SMALL = { leads: 2, customers: 25, imported: 100, fair: 12 };

let lived: Promise<Month> | undefined;
/** One for all that look at it. */
function month(): Promise<Month> {
  const policy = parsePolicy({ budgets: { perDay: 25, purposes: { refresh: { perDay: 10 } } } });
  lived ??= simulateMonth({ policy, seed: 7, endMs: END_MS, size: SMALL });
  return lived;
}

async function ledgerOf({ world }: Month) {
  const { ledgerStore, digest } = world.system.services;
  const entries = await Array.fromAsync(readLog(ledgerStore));
  const verified = await verifyLog(readLog(ledgerStore), { digest });
  return { entries, verified };
}

function contactsOf({ hubSpot }: Month['world']) {
  const state = hubSpot.state();
  if (!isPortalState(state)) throw new Error('The stand-in told something else than its state.');
  return Object.values(state.records['0-1']).map(({ values }) => values);
}

async function recordsOf({ world }: Month) {
  const { records } = world.system.services;
  return (
    await Promise.all(
      RECORD_PLACES.map((partition) => records.list({ partition: recordKind.partition(partition) })),
    )
  ).flat();
}

describe('a month in virtual time', () => {
  it('has a ledger that holds, and is the bill but for one doubt', async () => {
    const { world } = await month();
    const { entries, verified } = await ledgerOf(await month());
    expect(verified.problems).toEqual([]);
    const { posted = 0, doubtful = 0, granted } = entries.at(-1)?.totals.lifetime ?? {};
    expect(doubtful).toBeGreaterThan(0);
    expect(world.dataService.bill().creditsCharged).toBe(posted + doubtful);
    expect(granted).toBe(4_500);
    expect(entries.filter(({ kind }) => kind === 'grant').map(({ reason }) => reason)).toEqual([
      'invoice 1001',
      'invoice 1002',
    ]);
  });

  it('ends when it is said to, and nothing is under way then', async () => {
    const { world } = await month();
    const endedMs = world.clock.now();
    expect(endedMs).toBeLessThan(END_MS);
    expect(endedMs).toBeGreaterThan(END_MS - HOUR_MS);
    const { entries } = await ledgerOf(await month());
    expect(entries.at(-1)?.totals.lifetime.pending).toBe(0);
    for (const { claim, runsOpened, outcomes, run } of await recordsOf(await month())) {
      expect(claim).toBeUndefined();
      const ended = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
      expect(runsOpened).toBe(ended + (run ? 1 : 0));
    }
  });

  it('has lived through all that it tells of', async () => {
    const { world, counts } = await month();
    const { entries } = await ledgerOf(await month());
    const posted = entries.filter(({ kind }) => kind === 'posted');
    expect(new Set(posted.map(({ purpose }) => purpose))).toEqual(
      new Set(['live', 'import', 'refresh', 'backfill']),
    );
    for (const reason of ['budget', 'service-unreachable', 'key-refused'])
      expect(counts.waits.get(reason), reason).toBeGreaterThan(0);
    for (const outcome of ['enriched', 'unchanged', 'unmatched', 'skipped', 'failed'])
      expect(counts.outcomes.get(outcome), outcome).toBeGreaterThan(0);
    const [backfill] = await world.system.services.open(backfillKind).list({
      partition: backfillKind.partition('backfills'),
    });
    expect(backfill?.state).toBe('done');
    const people = contactsOf(world);
    expect(people.some(({ enrichment_job_changed_at: at }) => at)).toBe(true);
    const OTHER_NAMES = (['other-last-name', 'other-first-name', 'other-full-name'] as const).map((code) =>
      explanationText(because(code)),
    );
    const isMixedUp = ({ enrichment_reason: reason = '' }) =>
      OTHER_NAMES.some((text) => reason.includes(text));
    expect(people.some(isMixedUp)).toBe(true);
    const isEdited = ({ jobtitle = '' }) => /Partnerships|Procurement|Interim|Board/.test(jobtitle);
    expect(people.some(isEdited)).toBe(true);
    const records = await recordsOf(await month());
    expect(records.some(({ forgottenAtMs }) => forgottenAtMs)).toBe(true);
    expect(records.some(({ run, waiting }) => run?.purpose === 'import' && waiting)).toBe(true);
    // People and answers are untidy, and the records say how this was treated.
    expect(records.some(({ outcome }) => outcome?.reason.code === 'role-mailbox')).toBe(true);
    const histories = await Promise.all(records.map((each) => historyOf(world.system.services, each)));
    const codes = histories.flat().flatMap(({ dropped = [] }) => dropped.map(({ code }) => code));
    expect(codes).toContain('unusable');
    const days = new Set(posted.map(({ atMs }) => Math.floor((END_MS - atMs) / DAY_MS)));
    expect([...days].filter((day) => day < 30).length).toBeGreaterThan(15);
  });
});
