import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Question } from '#shared/questions';
import { openEndpoint, startEmbedded, type TableServer } from '../../contract/stores/stand-in.ts';
import { courses, follow } from './course.ts';
import { type SharedStores, tableStores } from './stores.ts';
import { strikeEverywhere } from './strike.ts';

const { DYNAMODB_ENDPOINT } = process.env;
/** Real time passes here: of all strikes every so many, an odd number so that all kinds come up, and so many courses. */
const [EVERY, COURSES] = DYNAMODB_ENDPOINT ? [11, 40] : [23, 3];

const parameters = { network_url: 'https://people.example/in/sample' };
const question: Question = { operation: 'personProfile', parameters, options: ['email'] };
const wider: Question = { ...question, options: ['email', 'phone'] };

describe(`over ${DYNAMODB_ENDPOINT ? 'the DynamoDB at the endpoint' : 'the embedded DynamoDB'}`, () => {
  let server: TableServer;
  let openStores: () => SharedStores;
  beforeAll(async () => {
    server = await (DYNAMODB_ENDPOINT ? openEndpoint(DYNAMODB_ENDPOINT) : startEmbedded());
    openStores = tableStores(server);
  });
  afterAll(() => server.close());

  it.each(['found', 'lost-charged'] as const)(
    'an asker struck at its calls keeps the laws where the vendor says %s',
    async (reply) => {
      const wish = { reply, question, wider, company: 'others', openStores, every: EVERY } as const;
      const { struck, problems } = await strikeEverywhere(wish);
      expect(struck.size).toBeGreaterThan(40 / EVERY);
      expect(problems.slice(0, 12)).toEqual([]);
    },
    200_000,
  );

  it('askers, sweeps and people in any order keep the laws', async () => {
    await fc.assert(
      fc.asyncProperty(courses, async (course) => {
        expect(await follow(course, openStores())).toEqual([]);
      }),
      { seed: 20_261_121, numRuns: COURSES },
    );
  });
});
