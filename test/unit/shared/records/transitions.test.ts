import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Purpose } from '#inside/crm/urgency.ts';
import { DAY_MS } from '#inside/kernel/clock.ts';
import { openForRefresh } from '#inside/records/open-for-refresh.ts';
import { knowsAll, newRecordState, recordPlace, withEvents } from '#inside/records/record-state.ts';
import { committedCredits } from '#inside/records/run-charges.ts';
import { type OutcomeKind, type RecordState, recordStateSchema } from '#inside/records/schemas.ts';
import {
  arrive,
  commitCredits,
  defer,
  type Learned,
  openForBackfill,
  openWaiting,
  settle,
} from '#inside/records/transitions.ts';

const START = newRecordState('contacts', '1');

function arriving(state: RecordState, more: Partial<Parameters<typeof arrive>[1]> = {}) {
  const arrival = {
    purpose: 'live',
    eventKeys: ['e1'],
    owner: 'w1',
    runId: 'r1',
    nowMs: 1_000,
    claimMs: 500,
  };
  return arrive(state, { ...arrival, purpose: 'live', ...more });
}

function claimed(state: RecordState, more: Partial<Parameters<typeof arrive>[1]> = {}): RecordState {
  const claim = arriving(state, more);
  if (claim.kind !== 'claimed') throw new Error(`not claimed but ${claim.kind}`);
  return claim.state;
}

function settled(state: RecordState, kind: OutcomeKind = 'enriched', learned: Learned = {}, atMs = 2_000) {
  const outcome = { kind, reason: 'because', atMs, credits: 3 };
  return settle(state, { outcome, learned, nextRunId: 'r2' });
}

/** A worker holds a record of an import, and a person asks for it. */
function requestedWhileHeld(): RecordState {
  const request = { eventKeys: ['e2'], purpose: 'manual', asked: { maxCredits: 3 }, owner: 'w2' } as const;
  const noted = arriving(claimed(START, { purpose: 'import' }), request);
  if (noted.kind !== 'noted') throw new Error(noted.kind);
  return noted.state;
}

describe('a message arrives', () => {
  it('at a record that nobody holds: a run opens', () => {
    expect(claimed(START)).toMatchObject({
      run: { id: 'r1', purpose: 'live', openedAtMs: 1_000, credits: 0 },
      claim: { owner: 'w1', untilMs: 1_500 },
      runsOpened: 1,
      recentEvents: [{ key: 'e1', atMs: 1_000 }],
    });
  });

  it('whose events are dealt with: a repeat, while it is worked on and after', () => {
    const held = claimed(START);
    expect(arriving(held).kind).toBe('repeat');
    expect(arriving(settled(held), { nowMs: 3_000 }).kind).toBe('repeat');
    expect(arriving(settled(held), { nowMs: 3_000, eventKeys: ['e1', 'e2'] }).kind).toBe('claimed');
  });

  it('at a record that another worker holds: one more run is due', () => {
    const noted = arriving(claimed(START), { eventKeys: ['e2'], purpose: 'manual', owner: 'w2' });
    expect(noted).toMatchObject({ kind: 'noted', state: { again: { purpose: 'manual' }, runsOpened: 1 } });
    expect(arriving(claimed(START), { eventKeys: [], owner: 'w2' }).kind).toBe('repeat');
  });

  it('at a record whose worker is gone: its run goes on', () => {
    const again = claimed(claimed(START), { nowMs: 1_501, owner: 'w2', runId: 'r9' });
    expect(again).toMatchObject({ run: { id: 'r1' }, claim: { owner: 'w2' }, runsOpened: 1 });
  });

  it('at a record that waits: its run goes on, now', () => {
    const later = { reason: 'budget', untilMs: 9_000, credits: 2, learned: {}, nowMs: 0 };
    const again = claimed(defer(claimed(START), later), { eventKeys: [], nowMs: 1_100 });
    expect(again).toMatchObject({ run: { id: 'r1', credits: 2 }, runsOpened: 1 });
    expect(again).not.toHaveProperty('waiting');
  });

  it('with a more urgent purpose than the run was opened for: it takes that, and never a lesser one', () => {
    const purposeOf = (first: Purpose, second: Purpose) => {
      const opened = claimed(START, { purpose: first });
      const later = { reason: 'budget', untilMs: 9_000, credits: 0, learned: {}, nowMs: 0 };
      return claimed(defer(opened, later), { purpose: second, eventKeys: [] }).run?.purpose;
    };
    expect(purposeOf('refresh', 'live')).toBe('live');
    expect(purposeOf('live', 'manual')).toBe('manual');
    expect(purposeOf('manual', 'refresh')).toBe('manual');
  });

  it('while another worker holds the record: the more urgent of two purposes is noted', () => {
    const noted = (state: RecordState, purpose: Purpose, key: string) => {
      const result = arriving(state, { purpose, eventKeys: [key], owner: 'w2' });
      if (result.kind !== 'noted') throw new Error(result.kind);
      return result.state;
    };
    const both = noted(noted(claimed(START), 'manual', 'e2'), 'live', 'e3');
    expect(both.again).toEqual({ purpose: 'manual' });
  });

  it('while another worker holds an import that is then put off: its run waits as what came is for', () => {
    const put = defer(requestedWhileHeld(), {
      reason: 'rate-limit',
      ...{ untilMs: 9_000, credits: 0, learned: {}, nowMs: 0 },
    });
    expect(recordPlace(put)).toEqual({ partition: 'in-turn-manual', order: 1_000 });
    const asked = { maxCredits: 3, beyond: { purpose: 'import' } };
    expect(put).toMatchObject({ run: { id: 'r1', purpose: 'manual', asked } });
    expect(put).not.toHaveProperty('again');
  });

  it('while another worker holds an import, and is then gone: its run goes on as what came is for', () => {
    const resumed = claimed(requestedWhileHeld(), { eventKeys: [], purpose: 'import', nowMs: 1_501 });
    expect(resumed).toMatchObject({ run: { id: 'r1', purpose: 'manual' }, claim: { untilMs: 2_001 } });
    expect(resumed).not.toHaveProperty('again');
  });
});

describe('the price that a person agreed to', () => {
  const capped = { asked: { maxCredits: 2 }, purpose: 'manual', eventKeys: ['e2'] } as const;
  const later = { reason: 'budget', untilMs: 9_000, credits: 0, learned: {}, nowMs: 0 };
  const waiting = (wish: Parameters<typeof claimed>[1]) => defer(claimed(START, wish), later);
  const free = { asked: { byWorkflow: true }, purpose: 'workflow' } as const;

  it.each([
    ['a workflow waits', free, { purpose: 'workflow', asked: { byWorkflow: true } }],
    ['a fresh lead waits', {}, { purpose: 'live' }],
    ['a backfill waits, which has its own', { purpose: 'backfill' } as const, undefined],
  ])(
    'holds where %s, and only where it would cost more the others have a run of their own',
    (_, wish, beyond) => {
      const run = claimed(waiting(wish), capped);
      expect(run.run?.asked).toEqual({ maxCredits: 2, ...(beyond && { beyond }) });
      expect(settled(run, 'enriched')).not.toHaveProperty('run');
      const dear = settled(run, 'skipped', { isAbovePrice: true });
      expect(dear).not.toHaveProperty('isDearer');
      if (!beyond) expect(dear).not.toHaveProperty('run');
      else
        expect(dear).toMatchObject({
          run: { id: 'r2', ...beyond },
          waiting: { reason: 'changed-meanwhile' },
        });
    },
  );

  it('holds whoever comes after', () => {
    const run = claimed(defer(claimed(START, capped), later), { ...free, eventKeys: ['e3'] });
    expect(run.run).toMatchObject({ purpose: 'manual', asked: { maxCredits: 2, beyond: free } });
    const both = claimed(defer(run, later), { eventKeys: ['e4'] });
    const beyond = { purpose: 'live', asked: { byWorkflow: true } };
    expect(both.run?.asked).toEqual({ maxCredits: 2, beyond });
  });
});

describe('a run ends', () => {
  it('in one outcome, counted, with its credits', () => {
    const state = settled(claimed(START), 'unmatched', { staleAtMs: 5_000 });
    expect(state).toMatchObject({
      outcome: { kind: 'unmatched', credits: 3 },
      outcomes: { unmatched: 1, enriched: 0 },
      creditsSpent: 3,
      staleAtMs: 5_000,
    });
    for (const gone of ['run', 'claim', 'waiting', 'again']) expect(state).not.toHaveProperty(gone);
  });

  it('and the next is opened at once where something happened meanwhile', () => {
    const noted = arriving(claimed(START), { eventKeys: ['e2'], owner: 'w2' });
    if (noted.kind !== 'noted') throw new Error(noted.kind);
    const state = settled(noted.state);
    expect(state).toMatchObject({
      run: { id: 'r2' },
      waiting: { reason: 'changed-meanwhile', untilMs: 2_000 },
      runsOpened: 2,
      outcomes: { enriched: 1 },
    });
    expect(state).not.toHaveProperty('again');
  });

  it('and keeps what was learned before, but for a staleness that is past', () => {
    const known = { ...START, fingerprint: 'f', ownership: { city: { written: ['h'] } }, answeredAtMs: 7 };
    const later = settled(claimed({ ...known, staleAtMs: 2_001 }), 'unchanged');
    expect(later).toMatchObject({
      fingerprint: 'f',
      ownership: { city: { written: ['h'] } },
      answeredAtMs: 7,
      staleAtMs: 2_001,
    });
    const past = settled(claimed({ ...known, staleAtMs: 2_000 }), 'skipped');
    expect(past).not.toHaveProperty('staleAtMs');
    expect(recordPlace(past)).toEqual({ partition: 'settled', order: Number.MAX_SAFE_INTEGER });
  });

  it('and a doubt is kept until the next outcome', () => {
    const doubtful = settled(claimed(START), 'failed', { doubtfulQuestion: 'q' });
    expect(recordPlace(doubtful)).toEqual({ partition: 'doubtful', order: 2_000 });
    const opening = {
      runId: 'r2',
      purpose: 'live',
      nowMs: 3_000,
      untilMs: 3_000,
      reason: 'doubt-resolved',
    } as const;
    const resumed = claimed(openWaiting(doubtful, opening), { eventKeys: [], nowMs: 3_000 });
    expect(settled(resumed)).not.toHaveProperty('doubtfulQuestion');
  });

  it('with the purpose of the doubtful run and the rest of its price', () => {
    const doubt = { doubtfulQuestion: 'q' };
    const commitments = [{ questionKey: 'q', reservationId: 'q:1:a', credits: 4 }];
    const wanted = claimed(START, { purpose: 'manual', asked: { maxCredits: 9 } });
    const committed = commitCredits(wanted, { owner: wanted.claim?.owner, credits: 3, commitments });
    const failed = settled(committed ?? wanted, 'failed', doubt);
    expect(failed.doubtfulRun).toEqual({ purpose: 'manual', asked: { maxCredits: 6 }, commitments });
    const opening = {
      runId: 'r2',
      ...failed.doubtfulRun,
      nowMs: 3_000,
      untilMs: 3_000,
      reason: 'doubt-resolved',
    } as const;
    const { run } = openWaiting(failed, { purpose: 'manual', ...opening });
    expect([run?.credits, run && committedCredits(run)]).toEqual([0, 4]);
    const quoted = openForBackfill(START, { id: 'b', runId: 'r2', maxCredits: 2, nowMs: 1_000 });
    const held = claimed(quoted ?? START, { eventKeys: [], purpose: 'backfill' });
    const doubtful = settled(held, 'failed', doubt);
    expect(doubtful.doubtfulRun).toEqual({ purpose: 'backfill', askedBy: 'backfill:b', maxCredits: 0 });
    expect(settled(claimed(doubtful, { eventKeys: ['e2'], nowMs: 3_000 }))).not.toHaveProperty('doubtfulRun');
  });

  it("keeps the price of a refresh after a doubt, and does not count as a person's request", () => {
    const doubt = { doubtfulQuestion: 'q1' };
    const refreshed = openForRefresh(START, { runId: 'r1', nowMs: 1_000, maxCredits: 5 });
    const failed = settled(claimed(refreshed, { eventKeys: [], purpose: 'refresh' }), 'failed', doubt);
    expect(failed.doubtfulRun).toEqual({ purpose: 'refresh', askedBy: 'schedule', maxCredits: 2 });
    const opening = { runId: 'r2', nowMs: 3_000, untilMs: 3_000, reason: 'doubt-resolved' } as const;
    const { run } = openWaiting(failed, { purpose: 'refresh', ...failed.doubtfulRun, ...opening });
    expect(run).toMatchObject({ purpose: 'refresh', maxCredits: 2 });
    expect(run).not.toHaveProperty('asked');
  });
});

describe('where a record stands', () => {
  it.each([
    ['running, until its claim ends', claimed(START), { partition: 'running-live', order: 1_500 }],
    [
      'waiting, until it is due',
      defer(claimed(START), { reason: 'HUBSPOT_REFUSES', untilMs: 9_000, credits: 0, learned: {}, nowMs: 0 }),
      { partition: 'waiting-live', order: 9_000 },
    ],
    [
      'waiting for its turn, by when its run was opened',
      defer(claimed(START), { reason: 'budget', untilMs: 9_000, credits: 0, learned: {}, nowMs: 0 }),
      { partition: 'in-turn-live', order: 1_000 },
    ],
    [
      'paid for already: waiting for no turn, but until it is due',
      defer(
        {
          ...claimed(START),
          run: { id: 'r1', purpose: 'live', openedAtMs: 1_000, credits: 1, answeredQuestion: 'q' },
        },
        { reason: 'budget', untilMs: 9_000, credits: 1, learned: {}, nowMs: 0 },
      ),
      { partition: 'waiting-live', order: 9_000 },
    ],
    [
      'settled, until it is stale',
      settled(claimed(START), 'enriched', { staleAtMs: 8_000 }),
      { partition: 'refresh-contacts-1', order: 8_000 },
    ],
  ])('%s', (_, state, place) => {
    expect(recordPlace(state)).toEqual(place);
  });
});

describe('the memory of events', () => {
  const at = (nowMs: number) => ({ nowMs, run: 1 });

  it('holds fifty, for three days', () => {
    const many = withEvents(
      START,
      Array.from({ length: 80 }, (_, index) => `e${index}`),
      at(0),
    );
    expect(many.recentEvents.length).toBe(50);
    expect(knowsAll(many, ['e79', 'e30'])).toBe(true);
    expect(knowsAll(many, ['e29'])).toBe(false);
    expect(withEvents(many, ['new'], at(3 * DAY_MS + 1)).recentEvents).toEqual([
      { key: 'new', atMs: 3 * DAY_MS + 1 },
    ]);
    expect(knowsAll(START, [])).toBe(false);
  });

  it('keeps the time at which an event was first seen', () => {
    expect(withEvents(withEvents(START, ['a'], at(1)), ['a'], at(5)).recentEvents).toEqual([
      { key: 'a', atMs: 1 },
    ]);
  });
});

describe('a request that comes while another worker holds the record', () => {
  it('is served by the same run, without its earlier charge, if that worker dies', () => {
    const KEY = 'request:1';
    const held = commitCredits(claimed(START, { owner: 'w1' }), { owner: 'w1', credits: 3, commitments: [] });
    if (!held) throw new Error('The worker does not hold the record.');
    const noted = arriving(held, { eventKeys: [KEY], owner: 'w2', nowMs: 1_100 });
    if (noted.kind !== 'noted') throw new Error(`not noted but ${noted.kind}`);
    const wishOf = ({ recentEvents }: RecordState) => recentEvents.find(({ key }) => key === KEY);
    expect(wishOf(noted.state)?.run).toBe(2);
    const next = claimed(noted.state, { eventKeys: [], owner: 'w2', nowMs: 2_000 });
    expect(wishOf(next)).toMatchObject({ run: 1, paidBefore: 3 });
  });
});

describe('whatever happens in whatever order', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('arrive' as const),
      key: fc.constantFrom('a', 'b', 'c', ''),
      ms: fc.nat(900),
    }),
    fc.record({ do: fc.constant('settle' as const) }),
    fc.record({ do: fc.constant('defer' as const), ms: fc.nat(5_000) }),
    fc.record({ do: fc.constant('choose' as const) }),
  );

  it('opened = ended + open, a run is held or waits, and the state survives storage', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let state = START;
        let nowMs = 0;
        let ids = 0;
        for (const one of steps) {
          ids += 1;
          if (one.do === 'arrive') {
            nowMs += one.ms;
            const eventKeys = one.key ? [one.key] : [];
            const claim = arriving(state, { eventKeys, nowMs, owner: `w${ids}`, runId: `r${ids}` });
            if (claim.kind !== 'repeat') state = claim.state;
          } else if (one.do === 'settle' && state.claim) {
            state = settled(state, 'enriched', { staleAtMs: nowMs + 100 }, nowMs);
          } else if (one.do === 'defer' && state.claim) {
            state = defer(state, { reason: 'x', untilMs: nowMs + one.ms, credits: 0, learned: {}, nowMs: 0 });
          } else if (one.do === 'choose' && recordPlace(state).partition === 'settled') {
            const opening = {
              runId: `r${ids}`,
              purpose: 'refresh',
              nowMs,
              untilMs: nowMs,
              reason: 'queued',
            } as const;
            state = openWaiting(state, opening);
          }
          const open = state.run ? 1 : 0;
          expect(state.runsOpened).toBe(state.outcomes.enriched + open);
          expect(Number(state.claim !== undefined) + Number(state.waiting !== undefined)).toBe(open);
          expect(recordStateSchema.parse(JSON.parse(JSON.stringify(state)))).toEqual(
            JSON.parse(JSON.stringify(state)),
          );
        }
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});
