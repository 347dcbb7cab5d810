import { describe, expect, it } from 'vitest';
import { inSelection, label, selectionWords } from '#shared/spend';
import { ACCOUNT, charge } from '../../shared/spend/random-log.ts';
import { FUNCTION_ARN, openReporter } from './open-reporter.ts';
import { figuresAt, rowsOf, textAt } from './read-html.ts';

async function opened() {
  const reporter = openReporter();
  const { ledger } = reporter;
  await charge(ledger, { operation: 'reverseEmail', purpose: 'live', credits: 3, reason: 'match' });
  await charge(ledger, { operation: 'personProfile', purpose: 'import', credits: 5, reason: 'no-match' });
  return reporter;
}

/** Every call of the function that the widget offers. */
function calls(html: string): unknown[] {
  return [...html.matchAll(/<cwdb-action action="call" endpoint="([^"]*)">([^<]*)<\/cwdb-action>/g)].map(
    ([, endpoint, json = '']) => {
      expect(endpoint).toBe(FUNCTION_ARN);
      return JSON.parse(json.replaceAll('&quot;', '"'));
    },
  );
}

describe('the widget', () => {
  it('shows the report in the colours of the dashboard', async () => {
    const { widget } = await opened();
    const [light, dark] = [await widget(), await widget({}, { theme: 'dark' })];
    expect(figuresAt(light, 'data-figure="spent-today"')?.[0]).toBe('8');
    expect(rowsOf(light, 'results')).toHaveLength(2 + 1);
    for (const words of [label('live'), ACCOUNT]) expect(light).toContain(words);
    expect(light).toContain('color-scheme: light');
    expect(dark).toContain('color-scheme: dark');
    expect(dark.replace(/<style>.*<\/style>/s, '')).toBe(light.replace(/<style>.*<\/style>/s, ''));
  });

  it('has no script, no link and no handler, which the console would refuse', async () => {
    const html = await (await opened()).widget();
    expect(html).not.toMatch(/<(?:script|iframe|link|use|a)\b|\son\w+=|javascript:|https?:/i);
  });

  it('takes range and filter from its form, and its month from its own parameters', async () => {
    const { widget } = await opened();
    expect(calls(await widget())).toContainEqual({ view: 'spend' });
    const all = { from: '2026-10-20', to: '2026-10-20', purpose: 'live', operation: '', outcome: '' };
    const picked = await widget({ view: 'spend' }, { forms: { all } });
    const day = { from: '2026-10-20', to: '2026-10-20' };
    expect(picked).toContain(selectionWords({ ...day, purpose: 'live' }));
    expect(textAt(await widget({ month: '2026-09' }), 'data-none="purpose"')).toContain(
      inSelection({ from: '2026-09-01', to: '2026-09-30' }),
    );
  });

  it.each([
    { view: 'charges', query: { from: 'today' } },
    { view: 'spend', query: { month: 'x' } },
    { view: 'waiting', query: { place: 'here' } },
  ])('says what is wrong with %j', async (asked) => {
    const html = await (await opened()).widget(asked);
    const [name] = Object.keys(asked.query).slice(-1);
    expect(textAt(html, `data-code="[\\w-]+" data-parameter="${name}"`)).toBeDefined();
  });

  it('has no style that reaches out of it into the console', async () => {
    const html = await (await opened()).widget({}, { theme: 'dark' });
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
    const selectors = [...style.matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) => list.split(','));
    expect(selectors.length).toBeGreaterThan(40);
    expect(
      selectors.map((selector) => selector.trim()).filter((each) => !each.startsWith('.credit-spend')),
    ).toEqual([]);
  });
});
