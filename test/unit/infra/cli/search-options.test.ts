import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { FILTERS } from '#inside/vendor/data-service/operations.ts';
import type { SearchOperation } from '#shared/vendor';
import { operationOptions } from '../../../../infra/cli/commands/questions/operation-options.ts';
import { searchOf } from '../../../../infra/cli/commands/questions/search-question.ts';

/** The search that a command line describes. */
function parsed(operation: SearchOperation, words: readonly string[]) {
  const command = new Command();
  const known = operationOptions(operation);
  for (const [, option] of [...known.parameters, ...known.additions]) command.addOption(option);
  return searchOf(operation, known, command.parse(words, { from: 'user' }).opts());
}

const FILTER_OPTIONS = operationOptions('searchPeople').parameters;

/** By what an option's flags say of its value. */
const TYPED: Readonly<Record<string, readonly [typed: readonly string[], sent: unknown]>> = {
  '<text>': [
    ['two.example', 'one.example', 'two.example'],
    ['one.example', 'two.example'],
  ],
  '<min..max>': [['1.5..20'], { min: 1.5, max: 20 }],
  '<yes|no>': [['no'], false],
  '<dept=min..max>': [
    ['sales=5..50', 'it=0..3'],
    [
      { department: 'it', range: { min: 0, max: 3 } },
      { department: 'sales', range: { min: 5, max: 50 } },
    ],
  ],
};

describe('options of the searches', () => {
  it('are one for every filter that the data service has', () => {
    expect(FILTER_OPTIONS.map(([name]) => name)).toEqual(Object.keys(FILTERS));
    const flags = FILTER_OPTIONS.map(([, { long }]) => long);
    expect(new Set(flags).size).toBe(flags.length);
  });

  it.each(FILTER_OPTIONS)('send %s as it was typed, in normal form', (filter, option) => {
    const [long = '', value = ''] = option.flags.split(' ');
    const [typed, sent] = TYPED[value] ?? expect.fail(`no sample for ${option.flags}`);
    const words = typed.flatMap((each) => [long, each]);
    for (const kind of ['searchPeople', 'searchCompanies'] as const) {
      expect(parsed(kind, words).parameters).toEqual({ [filter]: sent });
    }
  });

  it('of employee search name every parameter', () => {
    const words = [
      ...['--domain', 'Acme.example', '--title', 'lead', '--department', 'Sales', '--seniority', 'VP'],
      ...['--location', 'Remote', '--keywords', 'crm', '--email'],
    ];
    expect(parsed('searchEmployees', words).parameters).toEqual({
      company_domain: 'acme.example',
      title: 'lead',
      department: 'Sales',
      seniority: 'VP',
      location: 'Remote',
      keywords: 'crm',
      include_email: 'include',
    });
    const page = parsed('searchEmployees', ['--page', 'https://network.example/company/acme']);
    expect(page.parameters).toEqual({ company_network_url: 'https://network.example/company/acme' });
  });
});
