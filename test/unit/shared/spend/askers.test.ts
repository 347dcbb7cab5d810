import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyMonth, foldIntoMonth } from '#inside/spend/forecast.ts';
import type { SpendMonth } from '#inside/spend/schemas.ts';
import { WITHOUT_ASKER } from '#inside/spend/selection.ts';
import { yieldsBy } from '#inside/spend/spend-book.ts';
import type { LedgerEntry } from '#shared/credit-ledger';
import { sourceOfAsker } from '#shared/crm';
import { listCharges } from '#shared/spend';
import { createMemoryLedgerStore } from '../../../harness/memory-items.ts';
import { repeated } from '../../../harness/repeated.ts';
import { openReporter } from '../../functions/report-spend/open-reporter.ts';
import { figuresAt, rowsOf, textAt } from '../../functions/report-spend/read-html.ts';
import { bookKeeping, handClock } from './random-log.ts';

const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };

const ask = fc.record({
  askedBy: fc.oneof(
    fc.nat({ max: 15 }).map((id) => `user:${id}`),
    fc.constantFrom('source:FORM', 'source:IMPORT', 'schedule', 'workflow', 'backfill:b1', undefined),
  ),
  credits: fc.integer({ min: 0, max: 5 }),
  reason: fc.constantFrom('match', 'no-match'),
  isLate: fc.boolean(),
});
type Ask = typeof ask extends fc.Arbitrary<infer T> ? T : never;
const asks = fc.array(ask, { minLength: 1, maxLength: 80, size: 'max' });

/** The ledger's entries of one day after these requests. */
async function logOf(made: readonly Ask[]) {
  const { store, ledger } = bookKeeping(handClock(), createMemoryLedgerStore());
  for (const [nth, { askedBy, credits: amountCredits, reason, isLate }] of made.entries()) {
    const about = { reservationId: `r${nth}:1`, questionKey: 'q', operation: 'personProfile', askedBy };
    const reserved = { ...about, purpose: 'live', amountCredits } as const;
    if (isLate) await ledger.apply({ kind: 'late', ...reserved, reason });
    else {
      await ledger.apply({ kind: 'reserve', ...reserved });
      const { reservationId } = about;
      await ledger.apply({ kind: 'post', reservationId, amountCredits, reason });
    }
  }
  const entries = await store.entries({ fromSeq: 1, limit: 1_000 });
  return { store, entries, month: foldIntoMonth(emptyMonth('2026-10'), entries) };
}

/** Credits of charges by asker, made the plain way. */
function spentBy(log: readonly LedgerEntry[], nameOf: (asker: string) => string) {
  const sums = new Map<string, number>();
  for (const { kind, askedBy = WITHOUT_ASKER, amountCredits } of log)
    if (kind === 'posted' || kind === 'late')
      sums.set(nameOf(askedBy), (sums.get(nameOf(askedBy)) ?? 0) + amountCredits);
  return sums;
}

const charges = ({ rows }: SpendMonth) => rows.reduce((sum, { credits }) => sum + credits, 0);

describe('sums by asker', () => {
  it('add up to the ledger, by source exactly, however many users a day has', async () => {
    await fc.assert(
      fc.asyncProperty(asks, async (made) => {
        const { entries, month } = await logOf(made);
        const total = [...spentBy(entries, (asker) => asker).values()].reduce((sum, each) => sum + each, 0);
        expect(charges(month)).toBe(total);
        const bySource = yieldsBy('source', month.rows, undefined);
        expect(new Map(bySource.map(({ name, credits }) => [name, credits]))).toEqual(
          spentBy(entries, sourceOfAsker),
        );
        expect(month.rows.filter(({ askedBy }) => askedBy?.startsWith('user:'))).toEqual([]);
      }),
      { numRuns: repeated(60), seed: 4_711 },
    );
  });

  it('are the same for a log that is summed in parts', async () => {
    await fc.assert(
      fc.asyncProperty(asks, fc.nat({ max: 160 }), async (made, cut) => {
        const { entries, month } = await logOf(made);
        const before = foldIntoMonth(emptyMonth('2026-10'), entries.slice(0, cut));
        expect(foldIntoMonth(before, entries).rows).toEqual(month.rows);
      }),
      { numRuns: repeated(60), seed: 4_711 },
    );
  });

  it('lead to every charge of a user, whom the day does not name', async () => {
    await fc.assert(
      fc.asyncProperty(asks, fc.nat({ max: 15 }), async (made, id) => {
        const { store, entries, month } = await logOf(made);
        for (const askedBy of [`user:${id}`, 'user', 'source:FORM']) {
          const selection = { ...OCTOBER, askedBy };
          const query = { rows: month.rows, selection, limit: 1_000 };
          const page = await listCharges(store, query);
          const wanted = entries.filter(
            ({ kind, askedBy: by = '' }) =>
              (kind === 'posted' || kind === 'late') && (by === askedBy || sourceOfAsker(by) === askedBy),
          );
          expect(page.charges.map(({ seq }) => seq)).toEqual(wanted.map(({ seq }) => seq).toReversed());
        }
      }),
      { numRuns: repeated(60), seed: 4_711 },
    );
  });
});

type Reporter = ReturnType<typeof openReporter>;

let made = 0;

async function chargeBy({ ledger }: Reporter, askedBy: string | undefined, reason = 'match', credits = 3) {
  const reservationId = `by${++made}:1`;
  const about = { questionKey: `key ${made}`, operation: 'reverseEmail', purpose: 'live' } as const;
  await ledger.apply({ kind: 'reserve', reservationId, askedBy, ...about, amountCredits: credits });
  await ledger.apply({ kind: 'post', reservationId, amountCredits: credits, reason });
}

async function reporterWithCharges(): Promise<Reporter> {
  const reporter = openReporter();
  await chargeBy(reporter, 'source:FORM');
  await chargeBy(reporter, 'source:IMPORT', 'no-match', 2);
  await chargeBy(reporter, 'user:12345', 'match', 1);
  await chargeBy(reporter, undefined, 'match', 7);
  const brought = { purpose: 'live', kind: 'filled', runs: 1 } as const;
  await reporter.days.addYields([
    { ...brought, source: 'source:FORM', fields: 6 },
    { ...brought, source: 'user', fields: 2 },
  ]);
  return reporter;
}

describe('the page', () => {
  it('filters the sums, results and files by the asker', async () => {
    const reporter = await reporterWithCharges();
    const { selected, total } = JSON.parse(
      (await reporter.ask('/spend.json', { query: { askedBy: 'source:FORM' } })).body,
    );
    expect(selected).toEqual({ credits: 3, count: 1 });
    expect(total).toMatchObject({ filledFields: 6 });
    const csv = (await reporter.ask('/spend/charges.csv', { query: { askedBy: 'user' } })).body;
    const [head = '', ...lines] = csv.trim().split('\r\n');
    expect([head.split(',').at(-1), lines.map((line) => line.split(',').at(-1))]).toEqual([
      'askedBy',
      ['user:12345'],
    ]);
  });

  it('lists the charges of one user without a total, and has no sums of one user', async () => {
    const reporter = openReporter();
    for (let id = 0; id < 12; id += 1) await chargeBy(reporter, `user:${id}`);
    const ofOne = { query: { askedBy: 'user:11' } };
    const { body } = await reporter.ask('/spend/charges', ofOne);
    expect(figuresAt(body, 'id="total"')).toBeUndefined();
    expect(rowsOf(body, 'charges')).toHaveLength(1);
    const ofAll = await reporter.ask('/spend/charges', { query: { askedBy: 'user' } });
    expect(figuresAt(ofAll.body, 'id="total"')).toEqual(['36', '12']);
    for (const path of ['/spend', '/spend.json', '/spend.csv'])
      expect([path, (await reporter.ask(path, ofOne)).statusCode]).toEqual([path, 400]);
  });

  it.each(['user:jane@acme.example', `user:${'1'.repeat(21)}`, 'source:form', '<img>', 'jane'])(
    'refuses the asker %j',
    async (askedBy) => {
      const { statusCode, body } = await openReporter().ask('/spend', { query: { askedBy } });
      expect(statusCode).toBe(400);
      expect(textAt(body, 'data-code="not-an-asker" data-parameter="askedBy"')).toBeDefined();
      expect(body).not.toContain('<img>');
    },
  );
});
