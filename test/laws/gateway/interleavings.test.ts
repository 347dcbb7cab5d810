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
import { courses, follow } from './course.ts';

const keepLaws = (numRuns: number, open: () => Store | undefined = () => undefined) =>
  fc.assert(
    fc.asyncProperty(courses, async (course) => {
      expect(await follow(course, { store: open() })).toEqual([]);
    }),
    { seed: 20_261_121, numRuns },
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
