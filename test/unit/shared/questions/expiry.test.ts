import { describe, expect, it } from 'vitest';
import type { Attempt } from '#inside/questions/schemas.ts';
import { questionExpiry } from '#inside/questions/stored-answers.ts';
import { sideItemExpiry } from '#inside/questions/stored-kinds.ts';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { finishAbandoned, linkExpiry, type QuestionItem, type StoredAnswer } from '#shared/questions';
import { FOUND, NOON, openGateway, profile } from './asking.ts';

const WEEK_MS = 7 * DAY_MS;

function item(given: Partial<QuestionItem>): QuestionItem {
  return { key: 'k', operation: 'personProfile', fencingToken: NOON, ...given };
}

function attempt(state: Attempt['state']): Attempt {
  const charge = state === 'completed' ? { charge: { credits: 1, reason: 'match' } } : {};
  return {
    fencingToken: NOON,
    state,
    purpose: 'live',
    options: [],
    reservationId: `k:${NOON}`,
    worstCaseCredits: 1,
    sentAtMs: NOON,
    deadlineAtMs: NOON + MINUTE_MS,
    ...charge,
  };
}

function answer(given: Partial<StoredAnswer> = {}): StoredAnswer {
  const expiresAtMs = NOON + 90 * DAY_MS;
  return { kind: 'found', options: [], askedAtMs: NOON, expiresAtMs, credits: 1, misses: 0, ...given };
}

describe("a question's item", () => {
  it.each(['in-flight', 'in-doubt'] as const)('never goes while its attempt is %s', (state) => {
    expect(questionExpiry(item({ attempt: attempt(state), answer: answer() }))).toBeUndefined();
  });

  it('outlives its answers, be the longest-lived one an older one, by a week', () => {
    const olderAnswers = [answer({ expiresAtMs: NOON + 95 * DAY_MS })];
    const stored = item({ attempt: attempt('completed'), answer: answer(), olderAnswers });
    expect(questionExpiry(stored)).toBe(NOON + 95 * DAY_MS + WEEK_MS);
  });

  it('without an answer stays a week from its last token on', () => {
    expect(questionExpiry(item({}))).toBe(NOON + WEEK_MS);
  });

  it('without a match stays as long again as the miss was believed, so that the next one is believed longer', () => {
    const miss = answer({ kind: 'no-match', misses: 1, expiresAtMs: NOON + 30 * DAY_MS });
    expect(questionExpiry(item({ answer: miss }))).toBe(NOON + 60 * DAY_MS + WEEK_MS);
  });

  it('goes before the index entries of its answer do', () => {
    const stored = item({ attempt: attempt('completed'), answer: answer() });
    expect(linkExpiry(NOON + 90 * DAY_MS)).toBeGreaterThan(questionExpiry(stored) ?? 0);
  });
});

it('what lies beside the questions goes when the last thing that it leads to is gone', () => {
  const links = [
    { to: 'a', untilMs: 1 },
    { to: 'b', untilMs: 5 },
  ];
  expect(sideItemExpiry({ kind: 'links', links })).toBe(5 + DAY_MS);
  expect(sideItemExpiry({ kind: 'links', links: [...links, { to: 'c' }] })).toBeUndefined();
  expect(sideItemExpiry({ kind: 'links', links, more: { untilMs: 9 } })).toBe(9 + DAY_MS);
  expect(sideItemExpiry({ kind: 'links', links: [], more: {} })).toBeUndefined();
});

describe('a question whose item is gone', () => {
  it('is asked and booked anew, under a reservation that never was', async () => {
    const opened = openGateway({ answers: [FOUND] });
    await opened.ask(profile());
    await opened.clock.sleep(100 * DAY_MS);
    opened.expireQuestions();
    expect(await opened.ask(profile())).toMatchObject({ kind: 'found', credits: 1 });
    expect(await opened.kinds()).toEqual(['pending 1', 'posted 1', 'pending 1', 'posted 1']);
    const ids = (await opened.log()).flatMap(({ kind, reservationId: id }) =>
      kind === 'pending' ? [id] : [],
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('is booked at its worst case where its worker died before the charge was booked, and no sweep ran for weeks', async () => {
    const died = Promise.withResolvers<void>();
    const opened = openGateway({
      answers: [FOUND],
      onWrite: async ({ attempt: asked }) => {
        if (asked?.state !== 'completed') return;
        died.resolve();
        await new Promise(() => undefined);
      },
    });
    void opened.ask(profile());
    await died.promise;
    const sweep = () => finishAbandoned(opened.worker('sweep').services, { graceMs: MINUTE_MS });
    await opened.clock.sleep(100 * DAY_MS);
    opened.expireQuestions();
    expect(await sweep()).toMatchObject({ booked: 1, voided: 0 });
    expect(await opened.kinds()).toEqual(['pending 1', 'posted 1']);
    expect(await sweep()).toMatchObject({ booked: 0, voided: 0 });
  });
});
