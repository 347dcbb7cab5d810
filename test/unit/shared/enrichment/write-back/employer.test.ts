import { expect, it } from 'vitest';
import { togetherOrNot } from '#inside/field-policy/employer.ts';

it('of another employer not even the start of the job is written where one value is a person’s', () => {
  const { writes, heldBackBy } = togetherOrNot(true, {
    writes: { start_date: '2026-01-01', jobtitle: 'Buyer', city: 'Graz' },
    kept: [{ property: 'company', reason: 'person-wrote' }],
  });
  expect({ writes, heldBackBy }).toEqual({ writes: { city: 'Graz' }, heldBackBy: 'company' });
});
