import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knowsAll, withEvents } from '#inside/records/record-state.ts';
import { PURPOSES } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import {
  arrive,
  commitCredits,
  defer,
  endOpenRun,
  type Learned,
  newRecordState,
  note,
  type OutcomeKind,
  openAfterDoubt,
  openForBackfill,
  openWaiting,
  orphaned,
  type RecordState,
  recordPlace,
  recordStateSchema,
  settle,
  standingOfEvent,
  totalCredits,
} from '#shared/records';

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
  const outcome = { kind, reason: { code: 'because' }, atMs, credits: 3 };
  return settle(state, { outcome, learned });
}

/** A worker holds a record of an import, and a person asks for it. */
function requestedWhileHeld(): RecordState {
  const request = {
    eventKeys: ['e2'],
    purpose: 'manual',
    asked: { maxCredits: 3 },
    owner: 'w2',
    runId: 'r2',
  } as const;
  const noted = arriving(claimed(START, { purpose: 'import' }), request);
  if (noted.kind !== 'noted') throw new Error(noted.kind);
  return noted.state;
}

describe('a message arrives', () => {
  it('whose events are dealt with: a repeat, while it is worked on and after', () => {
    const held = claimed(START);
    expect(arriving(held).kind).toBe('repeat');
    expect(arriving(settled(held), { nowMs: 3_000 }).kind).toBe('repeat');
    expect(arriving(settled(held), { nowMs: 3_000, eventKeys: ['e1', 'e2'] }).kind).toBe('claimed');
  });

  it('at a record that another worker holds: a later run is due', () => {
    const noted = arriving(claimed(START), {
      eventKeys: ['e2'],
      purpose: 'manual',
      owner: 'w2',
      runId: 'r2',
    });
    expect(noted).toMatchObject({
      kind: 'noted',
      state: { run: { id: 'r1' }, later: [{ id: 'r2', purpose: 'manual' }], runsOpened: 1 },
    });
    expect(arriving(claimed(START), { eventKeys: [], owner: 'w2' }).kind).toBe('repeat');
  });

  it('at a record that waits: its run goes on, now', () => {
    const later = { reason: 'budget', untilMs: 9_000, credits: 2, learned: {}, nowMs: 0 };
    const resumed = claimed(defer(claimed(START), later), { eventKeys: [], nowMs: 1_100 });
    expect(resumed).toMatchObject({ run: { id: 'r1', credits: 2 }, runsOpened: 1 });
    expect(resumed).not.toHaveProperty('waiting');
  });

  it('again, and is only noted: a run whose worker has gone is queued by it, and no other', () => {
    const again = {
      purpose: 'import',
      eventKeys: ['e1'],
      owner: 'w2',
      runId: 'r2',
      nowMs: 2_000,
      claimMs: 500,
    } as const;
    const left = orphaned(claimed(START, { purpose: 'import' }), 9_000, () => true);
    if (!left) throw new Error('The worker has gone.');
    const queued = note(left, again);
    expect(queued).toMatchObject({
      kind: 'noted',
      state: { run: { id: 'r1' }, waiting: { reason: 'queued', untilMs: 2_000 }, runsOpened: 1 },
    });
    expect(queued.kind === 'noted' && note(queued.state, again).kind).toBe('repeat');
  });

  it('while another worker holds an import that is then put off: the more urgent run goes first', () => {
    const put = defer(requestedWhileHeld(), {
      reason: 'rate-limit',
      untilMs: 9_000,
      credits: 0,
      learned: {},
      nowMs: 0,
    });
    expect(recordPlace(put)).toEqual({ partition: 'waiting-urgent', order: 0 });
    const run = { id: 'r2', purpose: 'manual', maxCredits: 3 };
    expect(put).toMatchObject({ run, later: [{ id: 'r1', purpose: 'import' }], runsOpened: 1 });
  });
});

describe('the price that a person agreed to', () => {
  const capped = {
    asked: { maxCredits: 2 },
    purpose: 'manual',
    eventKeys: ['request:1'],
    runId: 'r2',
  } as const;
  const later = { reason: 'budget', untilMs: 9_000, credits: 0, learned: {}, nowMs: 0 };
  const waiting = (wish: Parameters<typeof claimed>[1]) => defer(claimed(START, wish), later);
  const free = { asked: { byWorkflow: true }, purpose: 'workflow' } as const;
  const withCredits = (state: RecordState, more: Partial<Parameters<typeof commitCredits>[1]>) => {
    const paid = commitCredits(state, { owner: 'w1', credits: 0, commitments: [], ...more });
    if (!paid) throw new Error('The worker does not hold the record.');
    return paid;
  };

  it.each([
    ['a workflow waits', free],
    ['a fresh lead waits', { purpose: 'live' }],
    ['a backfill waits', { purpose: 'backfill', asked: { maxCredits: 1 } }],
  ] as const)('limits only the run that serves the person, where %s', (_, wish) => {
    const run = claimed(waiting(wish), capped);
    expect(run.run).toMatchObject({ id: 'r2', purpose: 'manual', maxCredits: 2, asked: {} });
    expect(run.later).toMatchObject([{ id: 'r1', purpose: wish.purpose }]);
    const next = settled(run, 'skipped', { isAbovePrice: true });
    expect(next).toMatchObject({
      run: { id: 'r1', purpose: wish.purpose },
      waiting: { reason: 'changed-meanwhile' },
    });
    expect(next.run?.maxCredits).toBe('asked' in wish && 'maxCredits' in wish.asked ? 1 : undefined);
    expect(next).not.toHaveProperty('later');
  });

  it('is shared by two requests with the same price, and by no others', () => {
    const first = defer(claimed(START, capped), later);
    const same = claimed(first, { ...capped, eventKeys: ['request:2'], runId: 'r3' });
    expect(same.recentEvents.map(({ run }) => run)).toEqual(['r2', 'r2']);
    const other = { ...capped, asked: { maxCredits: 3 }, eventKeys: ['request:2'], runId: 'r3' };
    expect(claimed(first, other).recentEvents.map(({ run }) => run)).toEqual(['r2', 'r3']);
  });

  it.each([
    ['answered', { answeredQuestion: 'q' }],
    ['in doubt', { commitments: [{ questionKey: 'q', reservationId: 'q:1:a', credits: 1 }] }],
    ['cut off', { lapses: 1 }],
  ])('waits until a run that is %s has ended', (_, more) => {
    const open = waiting({ purpose: 'import' });
    const state = { ...open, run: open.run && { ...open.run, ...more } };
    const noted = claimed(state, capped);
    expect(noted).toMatchObject({ run: { id: 'r1', purpose: 'import' }, later: [{ id: 'r2' }] });
  });

  it('counts no charge of the run before', () => {
    const paid = defer(withCredits(claimed(START), {}), { ...later, credits: 3 });
    const same = { ...capped, asked: {}, purpose: 'live' } as const;
    const noted = claimed(paid, same);
    expect(noted.recentEvents.map(({ run }) => run)).toEqual(['r2', undefined]);
    const standing = standingOfEvent(defer(noted, { ...later, credits: 3 }), {
      eventKey: 'request:1',
      recordId: '1',
      nowMs: 0,
    });
    expect(standing).toMatchObject({ kind: 'waiting', credits: 0 });
  });

  it('is the lower one where a record has more reasons than it can hold runs', () => {
    let state = claimed(START);
    for (let index = 0; index < 12; index += 1) {
      const key = `request:${index}`;
      const noted = arriving(state, {
        ...capped,
        asked: { maxCredits: 20 - index },
        eventKeys: [key],
        runId: key,
      });
      if (noted.kind === 'repeat') throw new Error('known already');
      state = noted.state;
    }
    expect(state.later?.map(({ maxCredits }) => maxCredits)).toEqual([20, 19, 18, 17, 16, 15, 14, 13, 12, 9]);
    expect(state.recentEvents.find(({ key }) => key === 'request:11')?.run).toBe('request:9');
  });
});

describe('a run ends', () => {
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

  it('and leaves its attempts in doubt, of which each counts once', () => {
    const attempt = { questionKey: 'q', reservationId: 'q:1:a', credits: 4 };
    const wanted = claimed(START, { purpose: 'manual', asked: { maxCredits: 9 } });
    const sent = commitCredits(wanted, {
      owner: wanted.claim?.owner,
      credits: 0,
      commitments: [attempt],
    });
    const doubtful = settled(sent ?? wanted, 'failed', { doubtfulQuestion: 'q' });
    const doubts = [{ purpose: 'manual', asked: {}, questionKey: 'q', attempt }];
    expect(doubtful.doubts).toEqual(doubts);
    expect(recordPlace(doubtful)).toEqual({ partition: 'doubtful', order: 2_000 });
    const again = settled(claimed(doubtful, { eventKeys: ['e2'] }), 'failed', { doubtfulQuestion: 'q' });
    expect(again.doubts).toEqual(doubts);
    const other = settled(claimed(START), 'failed', { doubtfulQuestion: 'q' });
    expect(other.doubts).toEqual([{ purpose: 'live', questionKey: 'q' }]);
    expect(settled(claimed(other, { eventKeys: ['e2'] }))).not.toHaveProperty('doubts');
  });
});

it('a request has the end of the run that served it, beside the reason of a later run', () => {
  const first = settled(claimed(START, { eventKeys: ['request:1'] }), 'unchanged');
  const later = { kind: 'failed', reason: { code: 'gone' }, atMs: 4_000, credits: 0 } as const;
  const again = settle(claimed(first, { eventKeys: ['request:2'], runId: 'r2', nowMs: 3_000 }), {
    outcome: later,
    learned: {},
  });
  const standing = standingOfEvent(again, { eventKey: 'request:1', recordId: '1', nowMs: 0 });
  expect(standing).toMatchObject({
    kind: 'ended',
    outcome: { kind: 'unchanged' },
    laterReason: later.reason,
  });
  expect(standingOfEvent(again, { eventKey: 'request:2', recordId: '1', nowMs: 0 })).not.toHaveProperty(
    'laterReason',
  );
});

describe('a decided doubt', () => {
  const attempt = { questionKey: 'q', reservationId: 'q:1:a', credits: 4 };
  const own = { purpose: 'manual', asked: {}, askedBy: 'user:1', questionKey: 'q', attempt } as const;
  const open = { purpose: 'live', questionKey: 'r' } as const;
  const decided = { charges: new Map([['q:1:a', 4]]), runId: 'r2', nowMs: 3_000 };
  const doubtful: RecordState = { ...START, doubts: [own, open], creditsSpent: 1 };

  it('is counted, and opens a run that buys nothing', () => {
    const opened = openAfterDoubt(doubtful, decided);
    expect(opened).toMatchObject({
      run: { id: 'r2', purpose: 'manual', asked: {}, askedBy: 'user:1', credits: 4, afterDoubt: true },
      waiting: { reason: 'doubt-resolved' },
      doubts: [open],
    });
    expect(opened && totalCredits(opened)).toBe(5);
  });

  it('is counted without a run where none may open', () => {
    const forgotten = openAfterDoubt({ ...doubtful, forgottenAtMs: 1 }, decided);
    expect(forgotten).toMatchObject({ creditsSpent: 5, doubts: [open] });
    expect(forgotten).not.toHaveProperty('run');
  });

  it('waits while a run is open, and if nothing is decided', () => {
    expect(openAfterDoubt(claimed(doubtful), decided)).toBeUndefined();
    expect(openAfterDoubt(doubtful, { ...decided, charges: new Map() })).toBeUndefined();
  });

  it('frees its run for a new reason', () => {
    const opened = openAfterDoubt(doubtful, decided) ?? START;
    expect(claimed(opened, { eventKeys: ['e2'], askedBy: 'user:1' }).run).not.toHaveProperty('afterDoubt');
  });
});

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
])('where a record stands %s', (_, state, place) => {
  expect(recordPlace(state)).toEqual(place);
});

const at = (nowMs: number) => ({ nowMs, runId: 'r1' });

it('the memory of events holds fifty, for three days', () => {
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

const step = fc.oneof(
  fc.record({
    do: fc.constant('arrive' as const),
    key: fc.constantFrom('a', 'b', 'c', ''),
    ms: fc.nat(900),
    purpose: fc.constantFrom(...PURPOSES),
    maxCredits: fc.constantFrom(undefined, 1, 4),
  }),
  fc.record({ do: fc.constant('settle' as const) }),
  fc.record({ do: fc.constant('defer' as const), ms: fc.nat(5_000) }),
  fc.record({ do: fc.constant('choose' as const) }),
);

it('whatever happens in whatever order: opened = ended + open, a run is held or waits, and the state survives storage', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let state = START;
      let nowMs = 0;
      let ids = 0;
      const limits = new Map<string, number | undefined>();
      const ends = new Map<string, number>();
      for (const one of steps) {
        ids += 1;
        if (one.do === 'arrive') {
          nowMs += one.ms;
          const { purpose, maxCredits } = one;
          const key = `request:${one.key}${ids}`;
          const asked = maxCredits === undefined ? {} : { maxCredits };
          const wish = one.key ? { eventKeys: [key], asked, purpose } : { eventKeys: [], purpose };
          const claim = arriving(state, { ...wish, nowMs, owner: `w${ids}`, runId: `r${ids}` });
          if (claim.kind !== 'repeat') {
            state = claim.state;
            if (one.key) limits.set(key, maxCredits);
          }
        } else if (one.do === 'settle' && state.claim) {
          // A run spends its whole limit.
          const credits = state.run?.maxCredits ?? 9;
          const outcome = { kind: 'enriched', reason: { code: 'because' }, atMs: nowMs, credits } as const;
          if (state.run) ends.set(state.run.id, credits);
          state = settle(state, { outcome, learned: { staleAtMs: nowMs + 100 } });
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
        expectServed(state, { limits, ends });
      }
    }),
    { seed: 7, numRuns: 200 },
  );
});

/** Each request is served by one run that is open, later or ended, and never costs more than agreed. */
function expectServed(
  { run, later = [], recentEvents }: RecordState,
  {
    limits,
    ends,
  }: {
    readonly limits: ReadonlyMap<string, number | undefined>;
    readonly ends: ReadonlyMap<string, number>;
  },
) {
  const unended = [...(run ? [run] : []), ...later];
  expect(new Set(unended.map(({ id }) => id)).size).toBe(unended.length);
  for (const { key, run: id = '', end } of recentEvents) {
    const limit = limits.get(key) ?? Number.POSITIVE_INFINITY;
    const serving = unended.find((each) => each.id === id);
    expect({ key, isEnded: end !== undefined }).toEqual({ key, isEnded: serving === undefined });
    expect(end?.credits).toBe(ends.get(id));
    const most = end?.credits ?? serving?.maxCredits ?? Number.POSITIVE_INFINITY;
    expect({ key, isKept: most <= limit }).toEqual({ key, isKept: true });
  }
}

const wait = { reason: 'rate-limit', untilMs: 9_000, learned: {}, nowMs: 0 } as const;

const takenUp = (state: RecordState, more: Parameters<typeof claimed>[1] = {}) =>
  claimed(state, { purpose: 'backfill', eventKeys: [], ...more });

/** A worker holds a record of the backfill, at most 5 credits. */
function heldForBackfill(): RecordState {
  const start = newRecordState('contacts', '1');
  const opened = openForBackfill(start, { id: 'b', runId: 'r1', maxCredits: 5, nowMs: 1_000 });
  return takenUp(opened ?? start);
}

/** The run has cost three credits at its end. */
function endOf(state: RecordState, kind: OutcomeKind = 'enriched', learned: Learned = {}) {
  const outcome = { kind, reason: { code: 'because' }, atMs: 2_000, credits: 3 };
  return settle(state, { outcome, learned }).backfills?.at(-1)?.end;
}

describe("the end of a backfill's run", () => {
  it.each([
    [
      'an enriched record without a new answer',
      'unchanged',
      {},
      { kind: 'skipped', reason: { code: 'because' } },
    ],
    ['an answer that changes nothing', 'unchanged', { answeredQuestion: 'q1' }, { kind: 'unchanged' }],
    ['a skipped record', 'skipped', {}, { kind: 'skipped', reason: { code: 'because' } }],
    ['a failed one', 'failed', {}, { kind: 'failed' }],
  ] as const)('says whether the record was looked up: %s', (_, kind, learned, end) => {
    expect(endOf(heldForBackfill(), kind, learned)).toEqual({
      ...end,
      credits: 3,
      isDamage: kind === 'failed',
    });
  });

  it('is that of its own run, which waits until a lead is served', () => {
    const waiting = defer(heldForBackfill(), { ...wait, credits: 1 });
    const lead = takenUp(waiting, { purpose: 'live', eventKeys: ['e2'], nowMs: 1_100, runId: 'r2' });
    expect(lead).toMatchObject({
      run: { id: 'r2', purpose: 'live', credits: 0 },
      later: [{ id: 'r1', purpose: 'backfill', credits: 1, maxCredits: 5 }],
    });
    expect(lead.run).not.toHaveProperty('maxCredits');
    expect(endOpenRun(lead, { reason: { code: 'gone' }, nowMs: 1_200 })).toMatchObject({
      creditsSpent: 1,
      backfills: [{ end: { kind: 'skipped', credits: 1 } }],
    });
    const outcome = { kind: 'enriched', reason: { code: 'because' }, atMs: 2_000, credits: 4 } as const;
    const next = settle(lead, { outcome, learned: {} });
    expect(next.backfills?.at(-1)?.end).toBeUndefined();
    expect(next).toMatchObject({ run: { id: 'r1', purpose: 'backfill' }, runsOpened: 2 });
    expect(endOf(takenUp(next), 'unchanged')).toMatchObject({ kind: 'skipped', credits: 3 });
  });
});
