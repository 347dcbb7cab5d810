import { SECOND_MS } from '../kernel/clock.ts';
import { forgetPerson } from '../privacy/forget-person.ts';
import { changeRecord } from '../records/change-record.ts';
import { recordKey } from '../records/crm-record.ts';
import { absorb, mergedAway } from '../records/life.ts';
import type { RecordState } from '../records/record-state.ts';
import { arrive, type Claim } from '../records/transitions.ts';
import type { WorkMessage } from '../work-queue/message.ts';
import type { EnrichmentDeps, Held, TimeLimit } from './deps.ts';

type Claimed =
  | { readonly kind: 'held'; readonly held: Held }
  /** Nothing to do: known events, or another worker holds the record and will see to it. */
  | { readonly kind: 'repeat' | 'noted' }
  /** Its person is forgotten, wherever it was in our stores. */
  | { readonly kind: 'forgotten' };

/** A claim outlives its worker's time by this much, for clocks that differ. */
const MARGIN_MS = 5 * SECOND_MS;

/** Takes a record for this worker alone. What merges into it comes first, so that the run knows it all. */
export async function claimRecord(
  deps: EnrichmentDeps,
  job: WorkMessage,
  { deadlineMs }: TimeLimit,
): Promise<Claimed> {
  for (const id of job.mergedIds ?? []) await mergeInto(deps, job, id);
  if (job.gone === 'forgotten') {
    await forgetPerson(deps.forgetting, await deps.forgetting.forgetRecord(recordKey(job)));
    return { kind: 'forgotten' };
  }
  const nowMs = deps.clock.now();
  const claimMs = Math.max(SECOND_MS, deadlineMs - nowMs + MARGIN_MS);
  const { purpose, eventKeys } = job;
  const arrival = { purpose, eventKeys, nowMs, claimMs, owner: deps.newId(), runId: deps.newId() };
  const decision = await changeRecord(deps.records, job, (state): Claim => {
    // Somebody deletes records that were never ours: there is nothing to cancel.
    if (job.gone && job.eventKeys.length === 1 && state.runsOpened === 0) return { kind: 'repeat' };
    return arrive(state, arrival);
  });
  const { objectType, id } = job;
  if (decision.kind === 'repeat') deps.observer?.repeated({ objectType, id });
  if (decision.kind !== 'claimed') return { kind: decision.kind };
  return { kind: 'held', held: { objectType, id, state: decision.state, run: decision.run } };
}

/** First the winner learns what the loser knew, then the loser ends: cut off in between, it is done again. */
async function mergeInto(deps: EnrichmentDeps, winner: WorkMessage, loserId: string): Promise<void> {
  const { records, clock } = deps;
  const loser = { objectType: winner.objectType, id: loserId };
  const ended = await changeRecord(records, loser, (state): { state?: RecordState; known: RecordState } => {
    if (state.mergedInto !== undefined || !state.run) return { known: state };
    // Its open run ends before anything moves, so that no worker adds to what has been moved.
    const closed = mergedAway(state, { into: winner.id, nowMs: clock.now() });
    const { mergedInto: _, ...open } = closed;
    return { state: open, known: open };
  });
  if (ended.known.mergedInto !== undefined) return;
  await changeRecord(records, winner, (state): { state?: RecordState } => {
    const absorbed = absorb(state, ended.known);
    return absorbed === state ? {} : { state: absorbed };
  });
  await changeRecord(records, loser, (state): { state: RecordState } => ({
    state: mergedAway(state, { into: winner.id, nowMs: clock.now() }),
  }));
}
