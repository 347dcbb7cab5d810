import { describe, expect, it } from 'vitest';
import { type Job, sortJobs, type WorkMessage } from '#shared/work-queue';

function job(messageId: string, more: Partial<WorkMessage> = {}): Job {
  const message = {
    objectType: 'contacts',
    id: '1',
    purpose: 'live',
    eventKeys: [messageId],
    ...more,
  } as const;
  return { message, messageIds: [messageId] };
}

const TOLD = [job('a', { portalId: '1' }), job('b', { portalId: '2', gone: 'forgotten' })];

describe('sortJobs', () => {
  it('joins a wish of ours to what our portal told, and nothing to what another one told', () => {
    const { own, foreign, undecided } = sortJobs([...TOLD, job('c', { purpose: 'manual' })], '1');
    expect(own).toEqual([
      {
        message: { objectType: 'contacts', id: '1', purpose: 'manual', eventKeys: ['a', 'c'] },
        messageIds: ['a', 'c'],
      },
    ]);
    expect(foreign).toEqual([TOLD[1]]);
    expect(undecided).toEqual([]);
  });

  it('decides nothing about what some portal told while ours is not known', () => {
    const wish = job('c');
    expect(sortJobs([...TOLD, wish], undefined)).toEqual({ own: [wish], foreign: [], undecided: TOLD });
  });
});
