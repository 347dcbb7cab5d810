import { SECOND_MS } from '../kernel/clock.ts';
import { forgetPerson } from '../privacy/forget-person.ts';
import { changeRecord } from '../records/change-record.ts';
import { recordKey } from '../records/crm-record.ts';
import { absorb, mergedAway } from '../records/life.ts';
import type { RecordState } from '../records/record-state.ts';
import { arrive, type Claim } from '../records/transitions.ts';
import type { WorkMessage } from '../work-queue/message.ts';
import type { EnrichmentDeps, Held, TimeLimit } from './deps.ts';
import { livingState } from './record-history.ts';

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
  await mergeAll(deps, job);
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

/** Of a chain of merges the later one may be told first: what was known goes to the record that remains in the end. */
async function mergeAll(
  deps: EnrichmentDeps,
  { objectType, id, mergedIds = [] }: WorkMessage,
): Promise<void> {
  if (mergedIds.length === 0) return;
  const winner = await livingState(deps, { objectType, id });
  const states: RecordState[] = [];
  for (const loserId of mergedIds)
    if (loserId !== winner.id) states.push(await mergeInto(deps, winner, loserId));
  states.push(await livingState(deps, winner));
  // A privacy deletion may overtake the merge that it follows from.
  if (states.some((state) => state.forgottenAtMs !== undefined))
    await forgetPerson(deps.forgetting, await deps.forgetting.forgetRecord(recordKey(winner)));
}

type RecordName = Pick<WorkMessage, 'objectType' | 'id'>;

/**
 * First the winner learns what the loser knew, then the loser ends: cut off in between, it is done again.
 * @returns the loser as it was.
 */
async function mergeInto(deps: EnrichmentDeps, winner: RecordName, loserId: string): Promise<RecordState> {
  const { records, clock } = deps;
  const loser = { objectType: winner.objectType, id: loserId };
  const into = { into: winner.id, nowMs: clock.now() };
  const { known } = await changeRecord(
    records,
    loser,
    (state): { state?: RecordState; known: RecordState } => {
      if (state.mergedInto !== undefined || !state.run) return { known: state };
      // Its open run ends before anything moves, so that no worker adds to what has been moved.
      const { mergedInto: _, ...ended } = mergedAway(state, into);
      return { state: ended, known: ended };
    },
  );
  if (known.mergedInto !== undefined) return known;
  await changeRecord(records, winner, (state): { state?: RecordState } => {
    const absorbed = absorb(state, known);
    return absorbed === state ? {} : { state: absorbed };
  });
  await changeRecord(records, loser, (state): { state: RecordState } => ({ state: mergedAway(state, into) }));
  return known;
}
