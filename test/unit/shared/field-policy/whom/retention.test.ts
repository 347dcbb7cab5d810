import { expect, it } from 'vitest';
import { parsePolicy, retentionOf } from '#shared/field-policy';
import { DAY_MS } from '#shared/kernel';

const NOW_MS = Date.UTC(2026, 10, 21);
const OBTAINED_MS = NOW_MS - 200 * DAY_MS;
const policy = parsePolicy({
  budgets: { perDay: 1 },
  privacy: {
    retention: {
      contacts: [{ name: 'leads', when: [{ property: 'lifecyclestage', is: 'lead' }], days: 100 }],
    },
  },
});
const times = { obtainedAtMs: OBTAINED_MS, answeredAtMs: OBTAINED_MS };
const of = (objectType: 'contacts' | 'companies', lifecyclestage: string) =>
  retentionOf(policy, { objectType, properties: { lifecyclestage } }, { times, nowMs: NOW_MS });

it('a record that the first fitting rule names keeps its values for the days of the rule', () => {
  expect(of('contacts', 'lead')).toEqual({
    ...{ kind: 'until', rule: 'leads', endMs: OBTAINED_MS + 100 * DAY_MS },
  });
});

it('a contact that no rule fits keeps its values', () => {
  expect(of('contacts', 'customer')).toEqual({ kind: 'kept' });
});

it('a company keeps its values where only contacts have rules', () => {
  expect(of('companies', 'lead')).toEqual({ kind: 'kept' });
});
