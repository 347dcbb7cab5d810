import { describe, expect, it } from 'vitest';
import { READ_PROBLEMS } from '../../../../infra/cli/commands/page.ts';
import { ARGUMENT_REFUSALS } from '../../../../infra/cli/terminal/refusals.ts';
import { FINDING_ADVICE } from '../../../../infra/doctor/findings-check.ts';
import { CHECK_TEXTS } from '../../../../infra/doctor/texts.ts';
import { FAILURE_TEXTS } from '../../../../infra/local/failure.ts';
import { NOT_SEEN_TEXTS } from '../../../../infra/local/rehearsal/assumption.ts';
import { SETTINGS_TEXTS } from '../../../../infra/local/settings-error.ts';
import { filled, sentenceOf, type TextRow, textRow } from '../../../../infra/text-row.ts';
import { textFaults } from '../../../harness/catalogue.ts';

describe.each([
  ['checks', CHECK_TEXTS],
  ['refused arguments', ARGUMENT_REFUSALS],
  ['settings', SETTINGS_TEXTS],
  ['failures', FAILURE_TEXTS],
  ['problems of the page', READ_PROBLEMS],
  ['what a rehearsal did not see', NOT_SEEN_TEXTS],
])('the catalogue of %s', (_, table) => {
  it.each(Object.entries<TextRow>(table))('has short sentences for %s', (_code, { seen, advice = '' }) => {
    const texts = [seen, advice].filter((words) => typeof words === 'string' && words !== '');
    expect(texts.flatMap((words) => textFaults(String(words)))).toEqual([]);
  });
});

it.each(Object.entries(FINDING_ADVICE))('the advice on a finding is a short sentence: %s', (_, words) => {
  expect(textFaults(words({}))).toEqual([]);
});

describe('a row of texts', () => {
  const row = textRow('{stop} waits for {names}', ({ count }: { count: number }) => `buy ${count}`);

  it('has its parameters, and a list with commas', () => {
    const params = { stop: 'a {names}', names: ['b', 'c'], count: 2 };
    expect(sentenceOf(row, params)).toBe('a {names} waits for b, c: buy 2.');
  });

  it('is not shown without one of them', () => {
    expect(() => filled(row.seen, { stop: 'a' })).toThrow('names');
  });
});
