import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeated } from '../../harness/repeated.ts';
import { courses, follow } from './course.ts';

describe('askers, sweeps and people in any order', () => {
  it('keep the laws, whoever crashes and whoever comes back', async () => {
    await fc.assert(
      fc.asyncProperty(courses, async (course) => {
        expect(await follow(course)).toEqual([]);
      }),
      { seed: 20_261_121, numRuns: repeated(500) },
    );
  });
});
