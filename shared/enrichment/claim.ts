import { type RecordName, recordKey } from '#shared/crm';
import { SECOND_MS } from '#shared/kernel';
import { forgetPerson } from '#shared/questions';
import {
  type Arrival,
  absorb,
  arrive,
  type Claim,
  changeRecord,
  livingState,
  mergedAway,
  note,
  type RecordState,
  wasLookedUp,
} from '#shared/records';
import type { WorkMessage } from '#shared/work-queue';
import { withCharges } from './ask/price-limit.ts';
import type { EnrichmentServices, RecordClaim, TimeLimit } from './services.ts';

type Claimed =
  | { readonly kind: 'held'; readonly held: RecordClaim }
  /** Nothing to do: known events, or another worker holds the record and will see to it. */
  | { readonly kind: 'repeat' | 'noted' }
  /** Its person is forgotten, wherever it was in our stores. */
  | { readonly kind: 'forgotten' };

/** A claim outlives its worker's time by this much, for clocks that differ. */
const MARGIN_MS = 5 * SECOND_MS;

/** Takes a record for this worker alone. What merges into it comes first, so that the run knows it all. */
export async function claimRecord(
  services: EnrichmentServices,
  job: WorkMessage,
  { deadlineMs }: TimeLimit,
): Promise<Claimed> {
  const { mergedIds = [] } = job;
  if (mergedIds.length > 0) await mergeAll(services, { ...job, mergedIds });
  if (job.gone === 'forgotten') {
    await forgetPerson(services.forgetting, await services.forgetting.forgetRecord(recordKey(job)));
    return { kind: 'forgotten' };
  }
  const arrival = arrivalOf(services, job, deadlineMs);
  const decision = await changeRecord(
    services,
    job,
    (state): Claim => (saysNothing(job, state) ? { kind: 'repeat' } : arrive(state, arrival)),
    { isMostlyNew: tellsOfCreation(job) },
  );
  const { objectType, id } = job;
  if (decision.kind === 'repeat') services.observer?.repeated({ objectType, id });
  if (decision.kind !== 'claimed') return { kind: decision.kind };
  const run = await withCharges(services, decision.run);
  return { kind: 'held', held: { objectType, id, state: decision.state, run } };
}

/** Keeps in the record's state what the message says, to be worked on when it is its turn. */
export async function noteRecord(
  services: EnrichmentServices,
  job: WorkMessage,
): Promise<{ readonly kind: 'repeat' | 'noted' }> {
  const arrival = arrivalOf(services, job, services.clock.now());
  const { kind } = await changeRecord(
    services,
    job,
    (state) => (saysNothing(job, state) ? ({ kind: 'repeat' } as const) : note(state, arrival)),
    { isMostlyNew: tellsOfCreation(job) },
  );
  return { kind };
}

/** Whether HubSpot says that the record is new: then nothing is stored about it, as a rule. */
function tellsOfCreation({ purpose, eventKeys, isChange, gone, mergedIds }: WorkMessage): boolean {
  const isNews = purpose === 'live' || purpose === 'import';
  return isNews && eventKeys.length > 0 && !isChange && !gone && !mergedIds;
}

function arrivalOf({ clock, newId }: EnrichmentServices, job: WorkMessage, deadlineMs: number): Arrival {
  const nowMs = clock.now();
  const claimMs = Math.max(SECOND_MS, deadlineMs - nowMs + MARGIN_MS);
  const { purpose, eventKeys, asked, askedBy } = job;
  return { purpose, eventKeys, asked, askedBy, nowMs, claimMs, owner: newId(), runId: newId() };
}

/**
 * Whether a message about an unknown record can be dropped. A deletion has nothing to cancel. A change belongs to a record
 * from before the installation, or to a new one whose creation is still on its way. So edits cost no request to HubSpot.
 */
function saysNothing({ gone, isChange, eventKeys }: WorkMessage, state: RecordState): boolean {
  const { run, runsOpened, isOld } = state;
  // The message continues a run, and that run has ended. A duplicate message opens no second run.
  if (eventKeys.length === 0 && !run) return true;
  if (isChange && isOld && !wasLookedUp(state)) return true;
  return runsOpened === 0 && (isChange === true || (gone !== undefined && eventKeys.length === 1));
}

/** Of a chain of merges the later one may be told first: what was known goes to the record that remains in the end. */
async function mergeAll(
  services: EnrichmentServices,
  { objectType, id, mergedIds }: RecordName & { readonly mergedIds: readonly string[] },
): Promise<void> {
  const winner = await livingState(services, { objectType, id });
  const states: RecordState[] = [];
  for (const loserId of mergedIds)
    if (loserId !== winner.id) states.push(await mergeInto(services, winner, loserId));
  states.push(await livingState(services, winner));
  // A privacy deletion may overtake the merge that it follows from.
  if (states.some((state) => state.forgottenAtMs !== undefined))
    await forgetPerson(services.forgetting, await services.forgetting.forgetRecord(recordKey(winner)));
}

/**
 * First the winner learns what the loser knew, then the loser ends: cut off in between, it is done again.
 * @returns the loser as it was.
 */
async function mergeInto(
  services: EnrichmentServices,
  winner: RecordName,
  loserId: string,
): Promise<RecordState> {
  const loser = { objectType: winner.objectType, id: loserId };
  const into = { into: winner.id, nowMs: services.clock.now() };
  const { known } = await changeRecord(
    services,
    loser,
    (state): { state?: RecordState; known: RecordState } => {
      if (state.mergedInto !== undefined || !state.run) return { known: state };
      // Its open run ends before anything moves, so that no worker adds to what has been moved.
      const { mergedInto: _, ...ended } = mergedAway(state, into);
      return { state: ended, known: ended };
    },
  );
  if (known.mergedInto !== undefined) return known;
  if (known.hasReview) await services.reviews.gone(loser);
  await services.reviews.absorbed(winner, loserId);
  await changeRecord(services, winner, (state): { state?: RecordState } => {
    const absorbed = absorb(state, known);
    return absorbed === state ? {} : { state: absorbed };
  });
  await changeRecord(services, loser, (state): { state: RecordState } => ({
    state: mergedAway(state, into),
  }));
  return known;
}
