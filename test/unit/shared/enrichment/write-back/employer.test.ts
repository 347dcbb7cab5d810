import { expect, it } from 'vitest';
import { keepEmployerTogether } from '#shared/field-policy';

const FROM: Readonly<Record<string, string>> = {
  company: 'employerName',
  start_date: 'jobStartDate',
  jobtitle: 'title',
  city: 'city',
};
const proposed = (property: string, value: string, group?: 'employer' | 'none') => ({
  property,
  value,
  rule: { property, from: FROM[property] ?? '', convert: 'text', write: 'ours', group } as const,
});

it('of another employer not even the start of the job is written where one value is a person’s', () => {
  const proposals = [
    proposed('company', 'Quorrwick Labs'),
    proposed('start_date', '2026-01-01'),
    proposed('jobtitle', 'Buyer'),
    proposed('city', 'Graz'),
  ];
  const { writes, heldBackBy } = keepEmployerTogether(true, proposals, {
    writes: { start_date: '2026-01-01', jobtitle: 'Buyer', city: 'Graz' },
    kept: [{ property: 'company', reason: 'person-wrote' }],
  });
  expect({ writes, heldBackBy }).toEqual({ writes: { city: 'Graz' }, heldBackBy: 'company' });
});

it.each([
  ['put inside, is held back', 'city', 'employer', { jobtitle: 'Buyer' }],
  ['put outside, is written', 'jobtitle', 'none', { jobtitle: 'Buyer', city: 'Graz' }],
] as const)('a property that its rule has %s', (_, property, group, writes) => {
  const values = { jobtitle: 'Buyer', city: 'Graz' };
  const rest = Object.entries(values).filter(([name]) => name !== property);
  const proposals = [
    proposed('company', 'Quorrwick Labs'),
    proposed(property, values[property], group),
    ...rest.map(([name, value]) => proposed(name, value, name === 'jobtitle' ? 'none' : undefined)),
  ];
  const kept = [{ property: 'company', reason: 'person-wrote' as const }];
  expect(keepEmployerTogether(true, proposals, { writes: values, kept }).writes).toEqual(writes);
});
