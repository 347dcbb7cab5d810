import { describe, expect, it } from 'vitest';
import { leading } from '#inside/records/asked.ts';
import {
  arrive,
  defer,
  newRecordState,
  note,
  openForBackfill,
  type RecordState,
  settle,
} from '#shared/records';

const START = newRecordState('contacts', '1');

type Arriving = Partial<Parameters<typeof arrive>[1]>;

function arriving(state: RecordState, more: Arriving) {
  const worker = { owner: 'w1', runId: 'r1', nowMs: 1_000, claimMs: 500 };
  return arrive(state, { purpose: 'live', eventKeys: ['e1'], ...worker, ...more });
}

function stateAfter(state: RecordState, more: Arriving): RecordState {
  const claim = arriving(state, more);
  if (claim.kind === 'repeat') throw new Error('known already');
  return claim.state;
}

const wait = { reason: 'budget', untilMs: 2_000, credits: 0, learned: {}, nowMs: 1_200 } as const;
const FORM = { askedBy: 'source:FORM' };
const USER = { askedBy: 'user:1', eventKeys: ['e2'], purpose: 'manual', nowMs: 1_300 } as const;

describe('the leading reason', () => {
  it.each([
    [
      ['import', 'a'],
      ['manual', 'b'],
      ['manual', 'b'],
    ],
    [
      ['manual', 'a'],
      ['import', 'b'],
      ['manual', 'a'],
    ],
    [
      ['live', 'a'],
      ['live', 'b'],
      ['live', 'a'],
    ],
    [
      ['live', undefined],
      ['live', 'b'],
      ['live', undefined],
    ],
    [
      ['import', 'a'],
      ['live', undefined],
      ['live', undefined],
    ],
  ] as const)('of %j and %j is %j', ([purpose, askedBy], [other, otherBy], [expected, by]) => {
    const found = leading({ purpose, askedBy }, { purpose: other, askedBy: otherBy });
    expect(found).toStrictEqual({ purpose: expected, ...(by && { askedBy: by }) });
  });
});

describe('a run', () => {
  it('keeps the asker that opened it, through a wait and a scheduled message', () => {
    const waiting = defer(stateAfter(START, FORM), wait);
    expect(waiting.run).toMatchObject(FORM);
    const resumed = stateAfter(waiting, { eventKeys: [], nowMs: 2_000 });
    expect(resumed.run).toMatchObject({ purpose: 'live', ...FORM });
  });

  it('takes the asker of a more urgent request, and no other', () => {
    const waiting = defer(stateAfter(START, { purpose: 'import', askedBy: 'source:IMPORT' }), wait);
    const asked = stateAfter(waiting, USER);
    expect(asked.run).toMatchObject({ purpose: 'manual', askedBy: 'user:1' });
    const more = stateAfter(defer(asked, wait), { ...USER, eventKeys: ['e3'], askedBy: 'user:2' });
    expect(more.run).toMatchObject({ askedBy: 'user:1' });
  });

  it('says in its outcome who asked, and leaves the later run to the next asker', () => {
    const held = stateAfter(START, FORM);
    const noted = stateAfter(held, { ...USER, nowMs: 1_100, owner: 'w2' });
    expect(noted.later).toMatchObject([{ purpose: 'manual', askedBy: 'user:1' }]);
    const outcome = { kind: 'enriched', reason: { code: 'because' }, atMs: 2_000, credits: 3 } as const;
    const ended = settle(noted, { outcome, learned: {} });
    expect([ended.outcome?.askedBy, ended.run?.askedBy]).toEqual(['source:FORM', 'user:1']);
  });

  it('without an asker has an outcome without one', () => {
    const outcome = { kind: 'enriched', reason: { code: 'because' }, atMs: 2_000, credits: 3 } as const;
    const ended = settle(stateAfter(START, {}), { outcome, learned: {} });
    expect(ended.outcome).toStrictEqual(outcome);
  });

  it('of a backfill names it, and a noted request its asker', () => {
    const opened = openForBackfill(START, { id: 'b1', runId: 'r1', maxCredits: 1, nowMs: 1_000 });
    expect(opened?.run).toMatchObject({ askedBy: 'backfill:b1' });
    const worker = { owner: 'w1', runId: 'r1', nowMs: 1_000, claimMs: 500 };
    const noted = note(START, { purpose: 'import', eventKeys: ['e1'], ...worker, askedBy: 'source:IMPORT' });
    expect(noted.kind === 'noted' && noted.state.run).toMatchObject({ askedBy: 'source:IMPORT' });
  });
});
