import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeated } from '../../harness/repeated.ts';
import { type Course, courses, follow } from './course.ts';

const UNHARMED = { fate: undefined, skewMs: 0, wrongFromCall: 1 };
const about = { kind: 'ask', about: 0, purpose: 'manual' } as const;

/** Two processes book answers to one question: each try lost another item that it had written unread, for ever. */
const SAME_PERSON: Course = {
  steps: [
    { ...about, process: 0, width: 0, patienceMs: 0 },
    { kind: 'pass', ms: 120_000 },
    { ...about, process: 0, width: 2, patienceMs: 0 },
    { ...about, process: 1, width: 1, patienceMs: 3_000 },
  ],
  processes: [UNHARMED, UNHARMED, UNHARMED, UNHARMED],
  replies: [],
  choices: [0],
  perDay: 4,
  livePerDay: 3,
  untilMidnightMs: 500,
};

describe('askers, sweeps and people in any order', () => {
  it('keep the laws, whoever crashes and whoever comes back', async () => {
    await fc.assert(
      fc.asyncProperty(courses, async (course) => {
        expect(await follow(course)).toEqual([]);
      }),
      { seed: 20_261_121, numRuns: repeated(500), examples: [[SAME_PERSON]] },
    );
  });
});
