import { describe, expect, it } from 'vitest';
import { drawPlan } from './plan.ts';
import { simulate } from './simulate.ts';

describe('the whole system under faults drawn from a seed', () => {
  it.each([1, 2, 3, 4, 5, 6])('keeps every law: seed %i', async (seed) => {
    const { lines, problems } = await simulate(drawPlan(seed));
    expect(problems).toEqual([]);
    expect(lines[0]).not.toContain('open');
  });

  it('takes the same course twice', async () => {
    expect(drawPlan(11)).toEqual(drawPlan(11));
    expect(await simulate(drawPlan(11))).toEqual(await simulate(drawPlan(11)));
  });

  it('takes another course for another seed', async () => {
    const courses = await Promise.all([11, 12].map((seed) => simulate(drawPlan(seed))));
    expect(courses[0]).not.toEqual(courses[1]);
  });
});
