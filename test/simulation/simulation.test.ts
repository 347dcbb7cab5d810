import { describe, expect, it } from 'vitest';
import { repeated } from '../builders/repeated.ts';
import { drawPlan } from './draw-plan.ts';
import { simulate } from './simulate.ts';

describe('the whole system under faults drawn from a seed', () => {
  it.each(Array.from({ length: repeated(6) }, (_, index) => index + 1))(
    'keeps every law: seed %i',
    async (seed) => {
      const { problems } = await simulate(drawPlan(seed));
      expect(problems).toEqual([]);
    },
  );

  it('takes the same course for the same plan, and another for another', async () => {
    expect(drawPlan(8)).toEqual(drawPlan(8));
    const courses = [await simulate(drawPlan(8)), await simulate(drawPlan(8)), await simulate(drawPlan(7))];
    const [first, second, other] = courses.map(({ evidence: { people: _, ...seen }, lines }) =>
      JSON.stringify([seen, lines]),
    );
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });
});
