import { describe, expect, it } from 'vitest';
import { isThorough } from '../../harness/repeated.ts';
import { drawPlan } from './draw-plan.ts';
import { simulate } from './simulate.ts';

/** Seeds of nights that found a fault. Tests of single parts hold these repairs for each commit. */
const ONCE_BROKEN = [511_315];

describe('the whole system under faults drawn from a seed', () => {
  it.each(isThorough ? [1, 2, 3, 4, 5, 6, ...ONCE_BROKEN] : [1])('keeps every law: seed %i', async (seed) => {
    const { problems } = await simulate(drawPlan(seed));
    expect(problems).toEqual([]);
  });

  it('another seed draws another plan', () => {
    expect(drawPlan(8)).toEqual(drawPlan(8));
    expect(drawPlan(8)).not.toEqual(drawPlan(9));
  });
});
