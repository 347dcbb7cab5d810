import { expect, it } from 'vitest';
import { spendPage } from '#inside/spend/page/page.ts';
import { buildReport } from '#inside/spend/report.ts';
import type { WaitingLine } from '#inside/spend/waiting.ts';
import { refusalSentence } from '#shared/credit-ledger';
import { waitingRows } from '#shared/spend';
import { rowsOf, textAt } from '../../functions/report-spend/read-html.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 14);
const budget = {
  budget: 'total/day',
  limitCredits: 100,
  usedCredits: 60,
  leftCredits: 40,
  keptCredits: 40,
  resetsAtMs: Date.UTC(2026, 10, 22),
};
const refusal = { ...budget, neededCredits: 1, opensAtMs: Date.UTC(2026, 10, 21, 18, 9) };
const line: WaitingLine = {
  purpose: 'import',
  records: 150,
  credits: 450,
  oldestMs: Date.UTC(2026, 10, 20, 14),
  days: 4,
  refusal,
};

it.each<[object, string[]]>([
  [{}, ['100', '40']],
  [{ keptCredits: 38, neededCredits: 3 }, ['100', '40', '38', '3']],
  [{ leftCredits: 0, keptCredits: 0 }, ['100']],
  [{ leftCredits: -2, keptCredits: 0 }, ['100']],
  [{ budget: 'import/month', leftCredits: 1, keptCredits: 0, neededCredits: 3 }, ['100', '1', '3']],
  [{ budget: 'total/none-set' }, []],
])('why a budget refuses is told with its figures: %j', (change, figures) => {
  expect(refusalSentence({ ...refusal, ...change }).match(/\d+/g) ?? []).toEqual(figures);
});

it('records that the reserve for leads keeps waiting have their reason, and their next and last start', () => {
  const report = buildReport({
    nowMs: NOW_MS,
    timeZone: 'UTC',
    account: 'main',
    rows: [],
    newest: undefined,
    budgets: [budget],
    waiting: { inTurn: [line], timed: [], timedCredits: 0 },
  });
  const { opensAtMs: untilMs } = refusal;
  const params = { budget: 'total/day' };
  expect(report.stops).toMatchObject([{ kind: 'reserved-for-leads', params, records: 150, untilMs }]);
  const page = spendPage(report);
  const [told] = waitingRows(
    { inTurn: [line], timed: [], timedCredits: 0 },
    { nowMs: NOW_MS, timeZone: 'UTC' },
  );
  expect(told).toMatchObject({ name: 'import', records: '150', why: refusalSentence(refusal) });
  for (const words of ['18:09', '25 Nov']) expect(told?.ends).toContain(words);
  const row = textAt(page, 'data-wait="import"');
  for (const words of [refusalSentence(refusal), '150', '18:09', '25 Nov']) expect(row).toContain(words);
  // The page says it once: among the waiting records, and not as a warning.
  expect(page).not.toContain('data-stop');
  expect(rowsOf(page, 'budgets')?.[0]?.slice(1, 5)).toEqual(['60', '100', '40', '40']);
});
