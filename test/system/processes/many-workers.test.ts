import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { budgetStates } from '#inside/credit-ledger/budgets.ts';
import { EMPTY_TOTALS } from '#inside/credit-ledger/totals.ts';
import { type BudgetState, verifyLog } from '#shared/credit-ledger';
import { hasDynamoEngine } from '../../harness/dynamo-engine.ts';
import { openEngine, openFile } from './open-tables.ts';
import { FAULTS, type Finished, runCrew, TIME_ZONE } from './run-crew.ts';

/** Of which a third are duplicates; `MANY_WORKERS_QUESTIONS=2000` takes two minutes or three. */
const QUESTIONS = Number(process.env['MANY_WORKERS_QUESTIONS'] ?? 180);
const TIME_LIMIT_MS = 30_000 + QUESTIONS * 150;

const STORES = [
  { over: 'a SQLite file', open: openFile },
  ...(hasDynamoEngine ? [{ over: 'DynamoDB', open: openEngine }] : []),
];

const TITLE = `eight processes over $over with ${QUESTIONS} questions, budget for half of them, faults of every kind, one killed`;

describe.each(STORES)(TITLE, ({ open }) => {
  let run: Finished;
  beforeAll(async () => {
    run = await runCrew(QUESTIONS, await open());
  }, TIME_LIMIT_MS);
  afterAll(() => run.close());

  it('went as planned: a worker died in the middle, every fault struck, the budget ran out, all others worked', () => {
    expect(run.victim.killed()).toBe(true);
    expect(run.victim.ended.length).toBeLessThan(run.share);
    // How often each does is a matter of how many requests there are.
    expect(run.faultsStruck).toHaveLength(FAULTS.length);
    expect(Math.min(...run.faultsStruck)).toBeGreaterThan(0);
    expect(run.reasons.get('budget')).toBeGreaterThan(0);
    expect(
      run.workers.filter(({ ended }) => ended.some(({ credits }) => credits > 0)).length,
    ).toBeGreaterThan(4);
  });

  it('asked the data service at most once for each question', () => {
    const twice = [...run.service.seen].filter(([, { requests }]) => requests > 1);
    expect(twice).toEqual([]);
    const charged = [...run.service.seen.values()].reduce((sum, { credits }) => sum + credits, 0);
    expect(charged).toBe(run.bill.creditsCharged);
  });

  it('booked exactly what the data service charged, but for the listed doubts', () => {
    const doubted = run.open.map(({ questionKey, amountCredits }) => ({
      amountCredits,
      chargedCredits: run.service.seen.get(run.subjects.get(questionKey) ?? '')?.credits ?? 0,
    }));
    const inDoubt = doubted.reduce((sum, { chargedCredits }) => sum + chargedCredits, 0);
    expect(run.lifetime.posted + inDoubt).toBe(run.bill.creditsCharged);
    expect(doubted.filter(({ amountCredits, chargedCredits }) => chargedCredits > amountCredits)).toEqual([]);
    expect(inDoubt).toBeGreaterThan(0);
  });

  it('left no reservation open but the doubts', () => {
    expect(run.open.filter(({ state }) => state !== 'doubtful')).toEqual([]);
    expect(run.lifetime.pending).toBe(0);
  });

  it('told each asker of a doubt, and charged no asker for what another had paid', () => {
    const paid = [...run.workers, run.substitute].flatMap(({ ended }) => ended.map(({ credits }) => credits));
    const told = paid.reduce((sum, credits) => sum + credits, 0);
    expect(told).toBeLessThanOrEqual(run.lifetime.posted);
    expect(run.substitute.ended).toHaveLength(run.share);
    expect(new Set(run.substitute.ended.map(({ reason }) => reason))).not.toContain('asked-by-another');
  });

  it('never exceeded a budget, at no entry of the log', () => {
    const overdrawn = run.log.flatMap(({ seq, totals, atMs: nowMs }) =>
      budgetStates({ totals, budgets: run.budgets, nowMs, timeZone: TIME_ZONE })
        .filter(({ leftCredits }: BudgetState) => leftCredits < 0)
        .map(({ budget }) => ({ seq, budget })),
    );
    expect(run.log.length).toBeGreaterThan(QUESTIONS / 2);
    expect(overdrawn).toEqual([]);
  });

  it('wrote a log that proves its balance', async () => {
    const report = await verifyLog(run.readLog(), { digest: run.digest });
    expect(report.problems).toEqual([]);
    expect(report.totals.lifetime).toEqual({ ...EMPTY_TOTALS.lifetime, ...run.lifetime });
  });
});
