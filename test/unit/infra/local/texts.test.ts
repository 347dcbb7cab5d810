import { describe, expect, it } from 'vitest';
import { READ_PROBLEMS } from '../../../../infra/cli/commands/page.ts';
import { CHECK_TEXTS } from '../../../../infra/local/doctor/check.ts';
import { FINDING_ADVICE } from '../../../../infra/local/doctor/findings-check.ts';
import { FAILURE_TEXTS } from '../../../../infra/local/failure.ts';
import { NOT_SEEN_TEXTS } from '../../../../infra/local/rehearsal/not-seen.ts';
import { SETTINGS_TEXTS } from '../../../../infra/local/settings-error.ts';
import { rendered, type TextRow } from '../../../../infra/local/text-row.ts';
import { textFaults } from '../../../harness/catalogue.ts';

describe.each([
  ['checks', CHECK_TEXTS],
  ['settings', SETTINGS_TEXTS],
  ['failures', FAILURE_TEXTS],
  ['problems of the page', READ_PROBLEMS],
  ['what a rehearsal did not see', NOT_SEEN_TEXTS],
])('the catalogue of %s', (_, table) => {
  it.each(Object.entries(table))('has short sentences for %s', (_code, row) => {
    const { seen, advice } = rendered<unknown>(row as TextRow<unknown>, row.example);
    expect([seen, ...(advice === undefined ? [] : [advice])].flatMap(textFaults)).toEqual([]);
  });
});

it.each(Object.entries(FINDING_ADVICE))('the advice on a finding is a short sentence: %s', (_, words) => {
  expect(textFaults(words({}))).toEqual([]);
});
