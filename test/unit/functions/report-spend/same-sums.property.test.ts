import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import { CHARGE_OUTCOMES, label } from '#shared/spend';
import { repeated } from '../../../harness/repeated.ts';
import { logOf, longLogSteps } from '../../shared/spend/random-log.ts';
import { openReporter } from './open-reporter.ts';
import { linksTo, numberIn, rowsOf, tablesIn } from './read-html.ts';

interface Asked {
  readonly from: string;
  readonly to: string;
  readonly purpose?: string;
  readonly operation?: string;
  readonly outcome?: string;
}

/** A charge, read from the log the plain way. */
function chargesOf(log: readonly LedgerEntry[], asked: Asked) {
  const charged = log.filter(({ kind }) => kind === 'posted' || kind === 'late');
  const charges = charged.map(({ kind, reason = '', operation = '', purpose = '', ...entry }) => {
    const known = ['match', 'no-match'].includes(reason) ? reason : 'other';
    const outcome = kind === 'late' ? 'late' : known;
    return { seq: entry.seq, day: entry.day, credits: entry.amountCredits, operation, purpose, outcome };
  });
  return charges
    .filter(({ day }) => day >= asked.from && day <= asked.to)
    .filter(({ purpose }) => purpose === (asked.purpose ?? purpose))
    .filter(({ operation }) => operation === (asked.operation ?? operation))
    .filter(({ outcome }) => outcome === (asked.outcome ?? outcome));
}

type Charges = ReturnType<typeof chargesOf>;
type By = 'operation' | 'purpose';

/** Charges and credits by name, and in all. */
function sums(charges: Charges, by: By): Record<string, [count: number, credits: number]> {
  const groups: Record<string, [number, number]> = {};
  const add = (name: string, credits: number) => {
    const [count, sum] = groups[name] ?? [0, 0];
    groups[name] = [count + 1, sum + credits];
  };
  for (const charge of charges) {
    add(label(charge[by]), charge.credits);
    add('Total', charge.credits);
  }
  return groups;
}

/** The same as the results of the page or the widget say. A part with free misses alone has no charge. */
function sumsIn(html: string): Record<string, readonly [number, number]> {
  const lines = rowsOf(html, 'results') ?? [];
  return Object.fromEntries(
    lines
      .map(([name = '', credits, count]) => [name, [numberIn(count), numberIn(credits)]] as const)
      .filter(([, figures]) => figures.some((figure) => figure > 0)),
  );
}

const FIRST_DAY = Date.UTC(2026, 9, 18);
const LAST = 91;
const dayAfter = (days: number) => new Date(FIRST_DAY + days * DAY_MS).toISOString().slice(0, 10);
const day = fc.integer({ min: 0, max: LAST }).map(dayAfter);
const filter = fc.record(
  {
    purpose: fc.constantFrom(...PURPOSES),
    operation: fc.constantFrom('personProfile', 'reverseEmail'),
    outcome: fc.constantFrom(...CHARGE_OUTCOMES),
  },
  { requiredKeys: [] },
);
/** Half of them with all days, and half without a filter: several filters leave few charges. */
const asked: fc.Arbitrary<Asked> = fc
  .record({
    days: fc.oneof(fc.constant([dayAfter(0), dayAfter(LAST)]), fc.tuple(day, day)),
    filter: fc.oneof(fc.constant({}), filter),
  })
  .map(({ days, filter: chosen }) => {
    const [from = '', to = ''] = days.toSorted();
    return { from, to, ...chosen };
  });

/** A reporter over a log, a first part of it projected. */
async function over(log: readonly LedgerEntry[], { projected, from }: { projected: number; from: string }) {
  // A range that has not begun is refused.
  const startMs = Math.max(log.at(-1)?.atMs ?? 0, Date.parse(from) + DAY_MS);
  const reporter = openReporter({ startMs });
  for (const [index, entry] of log.entries()) {
    if (index === projected) await reporter.spendBook.project();
    await reporter.store.append(entry);
  }
  return reporter;
}

describe('every sum that the report shows', () => {
  it('equals that of the log: of page, widget, JSON and CSV, and of the charges behind it, whatever is picked', async () => {
    let compared = 0;
    const property = fc.asyncProperty(
      longLogSteps,
      asked,
      fc.nat({ max: 40 }),
      async (steps, picked, projected) => {
        const log = await logOf(steps);
        if (log.length === 0) return;
        const reporter = await over(log, { projected, from: picked.from });
        const charges = chargesOf(log, picked);
        compared += charges.length;
        const credits = charges.reduce((sum, charge) => sum + charge.credits, 0);
        const query = { ...picked };

        const page = (await reporter.ask('/spend', { query })).body;
        for (const by of ['operation', 'purpose'] as const) {
          const grouped = { ...query, by };
          expect(sumsIn((await reporter.ask('/spend', { query: grouped })).body)).toEqual(sums(charges, by));
          expect(sumsIn(await reporter.widget({ view: 'spend', query: grouped }))).toEqual(sums(charges, by));
        }
        const days =
          tablesIn(page)
            .find(({ rows }) => rows[0]?.[0] === 'Day')
            ?.rows.slice(1) ?? [];
        expect(days.map(([, count]) => numberIn(count)).reduce((a, b) => a + b, 0)).toBe(charges.length);
        expect(days.map(([, , sum]) => numberIn(sum)).reduce((a, b) => a + b, 0)).toBe(credits);

        const json = JSON.parse((await reporter.ask('/spend.json', { query })).body);
        expect(json.selected).toEqual({ credits, count: charges.length });
        expect(json.spentMonthCredits).toBe(
          chargesOf(log, { from: `${json.month}-01`, to: `${json.month}-31` }).reduce(
            (a, b) => a + b.credits,
            0,
          ),
        );

        const lines = (await reporter.ask('/spend.csv', { query })).body.trimEnd().split('\r\n').slice(1);
        const rows = lines.map((line) => line.split(','));
        expect(rows.reduce((sum, [, , , , each]) => sum + Number(each), 0)).toBe(credits);
        expect(rows.reduce((sum, [, , , , , each]) => sum + Number(each), 0)).toBe(charges.length);

        const listed = JSON.parse((await reporter.ask('/spend/charges.json', { query })).body);
        expect(listed.selected).toEqual({ credits, count: charges.length });
        expect(listed.charges.map(({ seq }: { seq: number }) => seq)).toEqual(
          charges.map(({ seq }) => seq).reverse(),
        );
        const list = (await reporter.ask('/spend/charges', { query })).body;
        const shown = tablesIn(list)[0]?.rows.slice(1) ?? [];
        expect(shown.map((row) => numberIn(row[1]))).toEqual(charges.map((each) => each.credits).reverse());
      },
    );
    await fc.assert(property, { seed: 20_261_140, numRuns: repeated(200), endOnFailure: true });
    expect(compared).toBeGreaterThan(50);
  });

  it('leads to as many charges as it says', async () => {
    let followed = 0;
    const property = fc.asyncProperty(longLogSteps, asked, async (steps, picked) => {
      const log = await logOf(steps);
      if (log.length === 0) return;
      const reporter = await over(log, { projected: log.length, from: picked.from });
      for (const by of ['operation', 'purpose', 'source']) {
        const page = (await reporter.ask('/spend', { query: { ...picked, by } })).body;
        for (const [name = '', , count = ''] of rowsOf(page, 'results') ?? []) {
          for (const address of linksTo(page, name).filter((each) => each.startsWith('spend/charges'))) {
            followed += 1;
            const url = new URL(address, 'http://page/');
            const query = Object.fromEntries(url.searchParams);
            const { body } = await reporter.ask(`${url.pathname}.json`, { query });
            expect(JSON.parse(body).charges).toHaveLength(numberIn(count));
          }
        }
      }
    });
    await fc.assert(property, { seed: 20_261_141, numRuns: repeated(60), endOnFailure: true });
    expect(followed).toBeGreaterThan(25);
  });
});
