import { type Purpose, type RecordName, recordKey } from '#shared/crm';
import { SECOND_MS } from '#shared/kernel';
import { forgetPerson } from '#shared/questions';
import {
  type Arrival,
  absorb,
  arrive,
  because,
  type Claim,
  changeRecord,
  endOpenRun,
  lapsed,
  livingState,
  mergedAway,
  note,
  type RecordState,
  type Run,
  wasLookedUp,
} from '#shared/records';
import type { WorkMessage } from '#shared/work-queue';
import { withCharges } from './ask/price-limit.ts';
import type { EnrichmentServices, RecordClaim, TimeLimit } from './services.ts';

type Claimed =
  | { readonly kind: 'held'; readonly held: RecordClaim }
  /** Nothing to do. The events are known, or another worker holds the record and will handle them. */
  | { readonly kind: 'repeat' | 'noted' }
  /** The person was removed from all our stores. */
  | { readonly kind: 'forgotten' };

/** A claim outlives its worker's time limit by this time, because clocks differ. */
const MARGIN_MS = 5 * SECOND_MS;

/** Claims a record for this worker. First merges the states of merged records into it, so that the run knows them. */
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
    (state): Claim | { readonly kind: 'forgotten' } => {
      if (isForgottenRequest(job, state)) return { kind: 'forgotten' };
      return canBeDropped(job, state) ? { kind: 'repeat' } : arrive(state, arrival);
    },
    { isMostlyNew: reportsCreation(job) },
  );
  const { objectType, id } = job;
  if (decision.kind === 'forgotten') await setRequestBack(services, job);
  if (decision.kind === 'repeat') services.observer?.repeated({ objectType, id });
  if (decision.kind !== 'claimed') return { kind: decision.kind };
  const run = await withCharges(services, decision.run);
  return { kind: 'held', held: { objectType, id, state: decision.state, run } };
}

/** Stores a message in the record's state without claiming it. The record is queued. */
export async function noteRecord(
  services: EnrichmentServices,
  job: WorkMessage,
): Promise<{ readonly kind: 'repeat' | 'noted' | 'forgotten' }> {
  const arrival = arrivalOf(services, job, services.clock.now());
  const { kind } = await changeRecord(
    services,
    job,
    (state): Exclude<Claim, { kind: 'claimed' }> | { readonly kind: 'forgotten' } => {
      if (isForgottenRequest(job, state)) return { kind: 'forgotten' };
      return canBeDropped(job, state) ? { kind: 'repeat' } : note(state, arrival);
    },
    { isMostlyNew: reportsCreation(job) },
  );
  if (kind === 'forgotten') await setRequestBack(services, job);
  return { kind };
}

function isForgottenRequest({ asked, gone }: WorkMessage, { forgottenAtMs }: RecordState): boolean {
  return asked !== undefined && gone === undefined && forgottenAtMs !== undefined;
}

/** Ends a request in HubSpot that opens no run, because the record's person was forgotten. */
async function setRequestBack({ crm }: EnrichmentServices, { objectType, id }: RecordName): Promise<void> {
  const { records } = await crm.read({ objectType, ids: [id], properties: ['enrichment_requested'] });
  if (records.get(id)?.properties['enrichment_requested'] !== 'true') return;
  const writes = [{ id, properties: { enrichment_requested: 'false' } }];
  const attempt = await crm.write({ objectType, writes });
  // The message is delivered again.
  if (attempt.kind === 'failed') throw attempt.error;
}

/** Whether HubSpot reports a new record. We usually have no state of such a record yet. */
function reportsCreation({ purpose, eventKeys, isChange, gone, mergedIds }: WorkMessage): boolean {
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
 * Whether a message about an unknown record can be dropped. A deletion has nothing to cancel. A change belongs to an
 * old record, or to a new record whose creation message has not arrived yet. Dropping them saves requests to HubSpot.
 */
function canBeDropped({ gone, isChange, eventKeys }: WorkMessage, state: RecordState): boolean {
  const { run, runsOpened, isOld } = state;
  // A message without events continues a run. If that run has ended, the message is a duplicate, and opens no second
  // run.
  if (eventKeys.length === 0 && !run) return true;
  if (isChange && isOld && !wasLookedUp(state)) return true;
  return runsOpened === 0 && (isChange === true || (gone !== undefined && eventKeys.length === 1));
}

/**
 * Merges the records. In a chain of merges, the later merge may arrive first. So the last remaining record gets all
 * states.
 */
async function mergeAll(
  services: EnrichmentServices,
  { objectType, id, mergedIds }: RecordName & { readonly mergedIds: readonly string[] },
): Promise<void> {
  const winner = await livingState(services, { objectType, id });
  const states: RecordState[] = [];
  for (const loserId of mergedIds)
    if (loserId !== winner.id) states.push(await mergeInto(services, winner, loserId));
  states.push(await livingState(services, winner));
  // A privacy deletion may arrive before the merge that caused it.
  if (states.some((state) => state.forgottenAtMs !== undefined))
    await forgetPerson(services.forgetting, await services.forgetting.forgetRecord(recordKey(winner)));
}

/**
 * Merges the loser's state into the winner, then ends the loser. After a crash between these steps, both are repeated.
 * @returns the loser's former state.
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
      // The loser's open run ends first, so that no worker adds to a state that is being moved.
      const ended = endOpenRun(state, { reason: because('merged'), nowMs: into.nowMs });
      // The winner takes over how the answer ended, not how this run did.
      const known = { ...ended, outcome: state.outcome ?? ended.outcome };
      return { state: known, known };
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

interface Holding {
  readonly claimMs: number;
  readonly purpose?: Purpose;
  /** The person who requests the work. */
  readonly askedBy?: string | undefined;
  /** Changes the state in the same write that claims the record. */
  readonly also?: (state: RecordState) => RecordState;
  /** Whether to give up the paid answer of a waiting run. Nothing of that answer is then written. */
  readonly givesUp?: ((run: Run) => boolean) | undefined;
}

/**
 * Claims a record for work outside its run. No worker enriches it meanwhile; a waiting run continues afterwards.
 * @returns `busy` if a worker holds it, or a paid answer waits to be written to it.
 */
export async function holdRecord(
  services: Pick<EnrichmentServices, 'records' | 'clock' | 'newId'>,
  { objectType, id }: RecordName,
  { claimMs, purpose = 'live', askedBy, also, givesUp }: Holding,
): Promise<RecordClaim | 'busy' | 'forgotten'> {
  const nowMs = services.clock.now();
  const ids = { owner: services.newId(), runId: services.newId() };
  const claimed = await changeRecord(services, { objectType, id }, (state) => {
    const { run } = state;
    const isGivenUp = run?.answeredQuestion !== undefined && givesUp?.(run) === true;
    const open = isGivenUp ? { ...state, run: withoutAnswer(run) } : state;
    const arrival = { purpose: run?.purpose ?? purpose, askedBy, eventKeys: [], claimMs, nowMs, ...ids };
    const takeover = takeOver(open, arrival);
    return takeover.kind === 'claimed' && also ? { ...takeover, state: also(takeover.state) } : takeover;
  });
  if (claimed.kind === 'forgotten') return 'forgotten';
  if (claimed.kind !== 'claimed') return 'busy';
  return { objectType, id, state: claimed.state, run: claimed.run };
}

/** Drops the answer. The run counts as lapsed, so that its earlier writes are checked. */
function withoutAnswer(run: Run): Run {
  const { answeredQuestion: _, ...rest } = run;
  return lapsed(rest);
}

/**
 * Claims the record in place of its open run, which becomes a later run. If this worker stops, its run continues as any
 * other, so it may buy nothing.
 */
function takeOver(state: RecordState, arrival: Arrival): Claim | { readonly kind: 'paid-for' | 'forgotten' } {
  const { run, later = [] } = state;
  if (state.forgottenAtMs !== undefined) return { kind: 'forgotten' };
  if (run?.answeredQuestion !== undefined) return { kind: 'paid-for' };
  if (!run) return arrive(state, arrival);
  const { purpose, lapses } = run;
  const own = {
    id: arrival.runId,
    purpose,
    askedBy: arrival.askedBy ?? run.askedBy,
    lapses,
    openedAtMs: arrival.nowMs,
    credits: 0,
    maxCredits: 0,
  };
  return arrive({ ...state, run: own, later: [...later, run] }, arrival);
}
