import { expect, it } from 'vitest';
import { togetherOrNot } from '#inside/field-policy/employer.ts';

const RULE = { from: 'x', convert: 'text', write: 'ours' } as const;
const proposed = (property: string, value: string) => ({ property, value, rule: { ...RULE, property } });

it('of another employer not even the start of the job is written where one value is a person’s', () => {
  const record = { objectType: 'contacts', id: '1', createdAtMs: 0 } as const;
  const properties = { company: 'Nordwind Kranbau', start_date: null, jobtitle: null };
  const proposals = [
    proposed('company', 'Quorrwick Labs'),
    proposed('start_date', '2026-01-01'),
    proposed('jobtitle', 'Buyer'),
    proposed('city', 'Graz'),
  ];
  const { writes, heldBackBy } = togetherOrNot({ ...record, properties }, proposals, {
    writes: { start_date: '2026-01-01', jobtitle: 'Buyer', city: 'Graz' },
    kept: [{ property: 'company', reason: 'person-wrote' }],
  });
  expect({ writes, heldBackBy }).toEqual({ writes: { city: 'Graz' }, heldBackBy: 'company' });
});
