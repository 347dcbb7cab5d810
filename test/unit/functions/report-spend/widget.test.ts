import { describe, expect, it } from 'vitest';
import { scoped } from '#shared/spend/page/component-style.ts';
import { createSpendBook } from '#shared/spend/spend-book.ts';
import { createMemoryItems } from '#shared/versioned-items/store.memory.ts';
import { createWidgetHandler } from '../../../../functions/report-spend/widget.ts';
import { ACCOUNT, bookKeeping, charge, handClock, TIME_ZONE } from '../../shared/spend/random-log.ts';

async function widget() {
  const clock = handClock();
  const { store, ledger } = bookKeeping(clock);
  await charge(ledger, { operation: 'reverseEmail', purpose: 'live', credits: 3, reason: 'match' });
  const spendBook = createSpendBook({
    items: createMemoryItems(),
    heads: createMemoryItems(),
    store,
    account: ACCOUNT,
    clock,
  });
  return createWidgetHandler({ spendBook, ledger, clock, timeZone: TIME_ZONE });
}

/** As CloudWatch sends it, as far as it matters here. */
const shown = (theme: string) => ({ widgetContext: { dashboardName: 'credits', widgetId: 'w-1', theme } });

describe('the widget', () => {
  it('documents itself in Markdown', async () => {
    const show = await widget();
    expect(await show({ describe: true })).toMatch(/^### Credit spend\n/);
  });

  it('shows the report in the colours of the dashboard', async () => {
    const show = await widget();
    const [light, dark] = [await show(shown('light')), await show(shown('dark'))];
    for (const words of ['Spent today', 'By operation', 'Reverse email lookup', ACCOUNT])
      expect(light).toContain(words);
    expect(light).toContain('color-scheme: light');
    expect(dark).toContain('color-scheme: dark');
    expect(dark.replace(/<style>.*<\/style>/s, '')).toBe(light.replace(/<style>.*<\/style>/s, ''));
  });

  it('has no script, no link and no handler, which the console would refuse', async () => {
    const html = await (await widget())(shown('light'));
    expect(html).not.toMatch(/<(?:script|iframe|link|use|a)\b|\son\w+=|javascript:|https?:/i);
  });

  it('has no style that reaches out of it into the console', async () => {
    const html = await (await widget())(shown('dark'));
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
    const selectors = [...style.matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) => list.split(','));
    expect(selectors.length).toBeGreaterThan(40);
    expect(
      selectors.map((selector) => selector.trim()).filter((each) => !each.startsWith('.credit-spend')),
    ).toEqual([]);
  });
});

describe('scoped rules', () => {
  it('apply inside of the root only, each selector of a list alike', () => {
    expect(scoped('a, .b c { margin: 0; }\nd { color: red; }', '.root')).toBe(
      '.root a, .root .b c { margin: 0; }\n.root d { color: red; }',
    );
  });
});
