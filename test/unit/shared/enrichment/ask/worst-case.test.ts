import { describe, expect, it } from 'vitest';
import type { ObjectType } from '#inside/crm/crm-record.ts';
import { worstCaseOfRefresh } from '#inside/enrichment/ask/worst-case.ts';
import { type PolicyInput, parsePolicy } from '#inside/field-policy/policy.ts';

describe('worstCaseOfRefresh', () => {
  it.each<[ObjectType, PolicyInput['questions'], number]>([
    ['contacts', {}, 3],
    ['contacts', { wantPhone: true }, 6],
    ['contacts', { wantEmail: false }, 1],
    ['contacts', { contacts: ['reverseEmail'] }, 1],
    ['contacts', { fallThrough: true }, 8],
    ['companies', {}, 2],
    ['companies', { companies: { funding: true, technology: true } }, 4],
    ['companies', { fallThrough: true }, 3],
    ['companies', { fallThrough: true, companies: { technology: true } }, 4],
  ])('of %s under %j is %i credits', (objectType, questions, credits) => {
    const policy = parsePolicy({ budgets: { perDay: 10 }, questions });
    expect(worstCaseOfRefresh(objectType, policy)).toBe(credits);
  });

  it('counts no search if a search returns no field that the policy writes', () => {
    const logo = { property: 'logo', from: 'logo_url', convert: 'text', write: 'ours' } as const;
    const policy = parsePolicy({ budgets: { perDay: 10 }, fields: { companies: [logo] } });
    expect(worstCaseOfRefresh('companies', policy)).toBe(1);
  });
});
