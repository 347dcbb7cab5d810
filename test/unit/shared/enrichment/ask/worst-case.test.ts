import { describe, expect, it } from 'vitest';
import type { ObjectType } from '#shared/crm/crm-record.ts';
import { worstCaseOfRefresh } from '#shared/enrichment/ask/worst-case.ts';
import { type PolicyInput, parsePolicy } from '#shared/field-policy/policy.ts';

describe('worstCaseOfRefresh', () => {
  it.each<[ObjectType, PolicyInput['questions'], number]>([
    ['contacts', {}, 3],
    ['contacts', { wantPhone: true }, 6],
    ['contacts', { wantEmail: false }, 1],
    ['contacts', { contacts: ['reverseEmail'] }, 1],
    ['contacts', { fallThrough: true }, 8],
    ['companies', {}, 1],
    ['companies', { companies: { funding: true, technology: true } }, 4],
    ['companies', { fallThrough: true }, 2],
  ])('of %s under %j is %i credits', (objectType, questions, credits) => {
    const policy = parsePolicy({ budgets: { perDay: 10 }, questions });
    expect(worstCaseOfRefresh(objectType, policy)).toBe(credits);
  });
});
