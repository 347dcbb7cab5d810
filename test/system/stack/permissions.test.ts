import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '../../../infra/aws/names.ts';
import { granted } from './granted.ts';
import { resourcesOf, synthesised } from './synthesised.ts';

const template = synthesised();

/** `least-privilege.test.ts` holds that those of a function are what its code uses. */
describe('permissions', () => {
  it('of the schedules are to invoke the two functions that they run', () => {
    expect(granted(template, 'SchedulesRole')).toEqual([
      'lambda:InvokeFunction FunctionsReconcileLive',
      'lambda:InvokeFunction FunctionsRefreshStaleLive',
    ]);
  });

  it('have no wildcard, no managed policy and no role shared by two functions', () => {
    const policies = Object.values(resourcesOf(template, 'AWS::IAM::Policy'));
    const withoutKeys = JSON.stringify(policies, (name, value) => (name === 'Condition' ? undefined : value));
    expect(withoutKeys).not.toContain('*');
    const roles = Object.values(resourcesOf(template, 'AWS::IAM::Role'));
    expect(roles.every(({ Properties }) => Properties['ManagedPolicyArns'] === undefined)).toBe(true);
    const used = Object.values(resourcesOf(template, 'AWS::Lambda::Function')).map(({ Properties }) =>
      JSON.stringify(Properties['Role']),
    );
    expect(new Set(used).size).toBe(FUNCTIONS.length);
  });
});
