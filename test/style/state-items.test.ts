import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { STATE_ITEMS } from './state-item-list.ts';
import { builtElsewhere } from './state-items.ts';

const root = resolve(import.meta.dirname, '../..');

/** Each line builds one, in a way of its own; the last one only reads. */
const SAMPLE = 'shared/questions/ask/sample.ts';
const SAMPLE_TEXT = `
import type { BreakerState, QuestionItem } from '../schemas.ts';
export const state = (item: QuestionItem) => ({ ...item, answer: undefined });
export function free({ attempt, ...rest }: QuestionItem) { return [attempt?.state, Object.keys(rest)]; }
export const closed: BreakerState = { doubtsInRow: 0 };
export const seen = ({ key, attempt }: QuestionItem) => ({ key, state: attempt?.state });
`;

it('items with states are built by their transitions and nowhere else', () => {
  const faults = builtElsewhere(STATE_ITEMS, { root, added: { [SAMPLE]: SAMPLE_TEXT } });
  expect(faults.filter((fault) => !fault.startsWith(SAMPLE))).toEqual([]);
  expect(faults).toEqual([
    `${SAMPLE}:3 builds a QuestionItem: add a function to shared/questions/transitions.ts and call it.`,
    `${SAMPLE}:4 builds a QuestionItem: add a function to shared/questions/transitions.ts and call it.`,
    `${SAMPLE}:5 builds a BreakerState: add a function to shared/questions/breaker-transitions.ts and call it.`,
  ]);
});
