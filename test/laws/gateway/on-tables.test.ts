import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePolicy } from '#shared/field-policy';
import { systemClock as clock } from '#shared/kernel/adapters';
import type { Question } from '#shared/questions';
import type { SqliteStore } from '#shared/store/adapters';
import { openLocalStore } from '../../../infra/local/local-store.ts';
import { courses, follow } from './course.ts';
import { strikeEverywhere } from './strike.ts';

/** Each write waits for the disk: of all strikes every so many, an odd number so that all kinds come up. */
const EVERY = 7;

const by = { profileUrl: 'https://people.example/in/sample' };
const question: Question = { operation: 'personProfile', by, options: ['email'] };
const wider: Question = { ...question, options: ['email', 'phone'] };

describe('over the file of a laptop', () => {
  let folder: string;
  let store: SqliteStore;
  /** Each world begins with nothing stored. */
  const openStore = () => {
    store.database.exec('DELETE FROM items');
    return store;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'asked-'));
    ({ store } = openLocalStore(folder, { policy: parsePolicy({ budgets: { perDay: 200 } }), clock }));
  });
  afterAll(async () => {
    store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(['found', 'lost-charged'] as const)(
    'an asker struck at its calls keeps the laws where the vendor says %s',
    async (reply) => {
      const wish = { reply, question, wider, company: 'others', openStore, every: EVERY } as const;
      const { struck, problems } = await strikeEverywhere(wish);
      expect(struck.size).toBeGreaterThan(20 / EVERY);
      expect(problems.slice(0, 12)).toEqual([]);
    },
    200_000,
  );

  it('askers, sweeps and people in any order keep the laws', async () => {
    await fc.assert(
      fc.asyncProperty(courses, async (course) => {
        expect(await follow(course, { store: openStore() })).toEqual([]);
      }),
      { seed: 20_261_121, numRuns: 10 },
    );
  });
});
