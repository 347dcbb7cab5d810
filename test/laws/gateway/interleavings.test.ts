import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePolicy } from '#shared/field-policy';
import { systemClock as clock } from '#shared/kernel/adapters';
import type { Store } from '#shared/store';
import { openLocalStore } from '../../../infra/local/local-store.ts';
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

const keepLaws = (numRuns: number, open: () => Store | undefined = () => undefined) =>
  fc.assert(
    fc.asyncProperty(courses, async (course) => {
      expect(await follow(course, { store: open() })).toEqual([]);
    }),
    { seed: 20_261_121, numRuns, examples: [[SAME_PERSON]] },
  );

describe('askers, sweeps and people in any order', () => {
  it('keep the laws, whoever crashes and whoever comes back', () => keepLaws(repeated(500)));

  it('keep the laws over the file of a laptop', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'asked-'));
    const { store } = openLocalStore(folder, { policy: parsePolicy({ budgets: { perDay: 200 } }), clock });
    await keepLaws(10, () => {
      // Each course begins with nothing stored.
      store.database.exec('DELETE FROM items');
      return store;
    });
    store.close();
    await rm(folder, { recursive: true });
  });
});
