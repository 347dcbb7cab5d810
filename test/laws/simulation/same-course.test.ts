import { expect, it } from 'vitest';
import { drawPlan } from './draw-plan.ts';
import { simulate } from './simulate.ts';

it('a simulation takes the same course for the same plan', async () => {
  const [first, second] = [await simulate(drawPlan(1)), await simulate(drawPlan(1))].map(
    ({ evidence: { people: _, ...seen }, lines }) => JSON.stringify([seen, lines]),
  );
  expect(second).toBe(first);
});
