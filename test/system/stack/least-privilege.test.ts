import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FUNCTIONS } from '../../../infra/aws/names.ts';
import { hasDynamoEngine } from '../../harness/dynamo-engine.ts';
import { forge, liveThrough, lookAtSpend } from './course.ts';
import { comparedOf, difference, EXACT, granted } from './grants.ts';
import { type Installation, openInstallation } from './installation.ts';
import { resourcesOf, synthesised } from './synthesised.ts';

const template = synthesised();
let installation: Installation;
let reports: Awaited<ReturnType<typeof liveThrough>>;

beforeAll(async () => {
  if (!hasDynamoEngine) return;
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.UTC(2026, 10, 21, 12) });
  installation = await openInstallation(template);
  const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms);
  reports = await liveThrough({ installation, pass });
  await lookAtSpend(installation);
  await forge(installation);
});

afterAll(async () => {
  if (!hasDynamoEngine) return;
  vi.useRealTimers();
  await installation.close();
});

describe.skipIf(!hasDynamoEngine)('the permissions of a function', () => {
  it.each(FUNCTIONS)('are what it uses, no more and no less: %s', (name) => {
    expect(difference(comparedOf(template, name, installation.gate.calls))).toEqual(EXACT);
  });
});

describe.skipIf(!hasDynamoEngine)('the course in which they are used', () => {
  it('went as it was meant to', () => {
    expect(reports).toMatchObject({
      afterDays: { abandoned: { booked: 1, doubts: 1 }, resolved: 2, reopened: 1, requeued: 5 },
      afterAYear: { requeued: 8, swept: 1, forgotten: 2, runs: { lost: 0 } },
    });
    expect(installation.gate.answersToLose()).toBe(0);
    expect(installation.vendors.isWaiting()).toBe(false);
  });
});

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
