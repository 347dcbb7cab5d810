import { expect, it } from 'vitest';
import { parsePolicy } from '#shared/field-policy/policy.ts';
import { DAY_MS } from '#shared/kernel/clock.ts';
import { keepRoundsLesson, type RoundsLesson } from '#shared/questions/companies/rounds-facts.ts';
import type { SideItem } from '#shared/questions/schemas.ts';
import { createMemoryItems } from '#shared/versioned-items/store.memory.ts';
import { roundsCheck } from '../../../../infra/local/doctor/rounds-check.ts';
import type { Site } from '../../../../infra/local/doctor/site.ts';

const NOW_MS = Date.UTC(2026, 10, 21);

async function checked(onlyChanged: boolean, ...lessons: readonly RoundsLesson[]) {
  const clock = { now: () => NOW_MS, sleep: async () => {} };
  const questions = { sideItems: createMemoryItems<SideItem>(), clock };
  for (const lesson of lessons) await keepRoundsLesson(questions, lesson);
  const policy = parsePolicy({
    budgets: { perDay: 10 },
    questions: { companies: { funding: onlyChanged } },
    fields: { companies: { raised: { from: 'funding/total_funding', convert: 'number', write: 'ours' } } },
    refresh: { onlyChanged },
  });
  return roundsCheck({ services: { questions }, policy } as unknown as Pick<Site, 'services' | 'policy'>);
}

const LOOKED: RoundsLesson = { kind: 'looked', looked: 100, named: 10, unnamed: [], refutedBy: [] };
const BOUGHT: RoundsLesson = {
  kind: 'bought',
  bought: [
    ...['a.com', 'b.com'].map((domain) => ({ domain, kind: 'named' as const, roundAtMs: NOW_MS })),
    { domain: 'c.com', kind: 'unnamed' as const, roundAtMs: undefined },
  ].map(({ domain, kind, roundAtMs }) => ({
    ...{ domain, roundAtMs, boughtAtMs: NOW_MS },
    verdict: { kind, sinceMs: NOW_MS - 90 * DAY_MS },
  })),
};

it('tells what the search for rounds found, saved, and may hide', async () => {
  const { seen } = await checked(true, LOOKED, BOUGHT);
  // 89 of 100 were spared two credits each, and ten have cost one for being named.
  expect(seen).toBe(
    'a search looked for rounds of 100 companies and named 10, of whom 2 had one; about 168 credits saved; ' +
      'bought in full all the same: 1, of whom 0 had one (it hides 98% of them at most, but for those that are told of late)',
  );
});

it('warns where it is not believed any more, and says until when', async () => {
  const { seen, advice } = await checked(true, LOOKED, { kind: 'lost' }, { kind: 'lost' });
  expect(seen).toMatch(/^the data service did not answer the search, twice; a search looked/);
  expect(advice).toContain('2026-11-28');
});

it('is quiet where nothing is looked for, or nobody was looked at', async () => {
  expect((await checked(false)).seen).toBe('not looked for (refresh.onlyChanged)');
  expect((await checked(true)).seen).toMatch(/^nobody was looked at yet/);
});
