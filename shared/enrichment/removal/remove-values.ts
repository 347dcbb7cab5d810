import { type ObjectType, recordKey } from '#shared/crm';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import {
  because,
  beginRemoval,
  type Change,
  type OutcomeKind,
  type RecordState,
  type Removal,
  type Run,
  takesNewestAnswer,
  withNotes,
} from '#shared/records';
import { removalReason } from '../ask/admit-record.ts';
import { holdRecord } from '../hold-record.ts';
import type { RecordClaim } from '../services.ts';
import { settleRecord } from '../settle-record.ts';
import { isStatus } from '../write-back/draft.ts';
import { guardedWrites } from '../write-back/guarded-writes.ts';
import type { WriteResult } from '../write-back/planned-write.ts';
import { WRITE_LIFETIME_MS } from '../write-back/recover.ts';
import type { RemovalServices } from './plan-removal.ts';
import { isStillHeld, purgeObtained } from './purge-obtained.ts';
import { isWhole, type PlannedRemoval, removalEntry, removalWriter } from './removal-writer.ts';

export interface RemovalRequest {
  readonly state: RecordState;
  readonly removal: Removal;
}

export type RemovalResult =
  /** No value of ours is left. `removed`: names of the properties that were emptied. */
  | { readonly kind: 'done'; readonly id: string; readonly removed: readonly string[] }
  /** HubSpot refused to empty some properties, or does not have the record now. The removal is retried. */
  | {
      readonly kind: 'open';
      readonly id: string;
      readonly removed: readonly string[];
      readonly reason: string;
    }
  /** A worker has the record, or a paid answer waits to be written to it. The removal is retried. */
  | { readonly kind: 'busy'; readonly id: string }
  | { readonly kind: 'forgotten'; readonly id: string };

/** Longest claim. A removal needs only a few requests to HubSpot for all of its records. */
const CLAIM_MS = 3 * MINUTE_MS;
/** Time kept for the outcome after HubSpot's last answer. */
const SETTLE_MS = 20 * SECOND_MS;

/**
 * Removes our values of these records permanently: from HubSpot, the stored answers, and the journal. People's values
 * stay. It can be interrupted and repeated. From the first step on, nothing is bought for the record.
 * @param requests requests for different records of one object type. HubSpot must be able to read their history in one
 * request.
 * @returns the results in the order of the requests.
 */
export async function removeValues(
  given: RemovalServices,
  objectType: ObjectType,
  requests: readonly RemovalRequest[],
): Promise<readonly RemovalResult[]> {
  const results = new Map<string, RemovalResult>();
  const drafts: PlannedRemoval['draft'][] = [];
  const endMs = given.clock.now() + CLAIM_MS - SETTLE_MS;
  for (const { state, removal } of requests) {
    const held = await hold(given, state, removal);
    if (typeof held === 'string') results.set(state.id, { kind: held, id: state.id });
    else drafts.push({ held, removal });
  }
  if (drafts.length > 0) {
    const services = { ...given, crm: given.crm.until(endMs) };
    const definitions = await services.crm.definitions(objectType);
    const writer = removalWriter(services, { objectType, definitions });
    const writing = { objectType, definitions, writer, untilMs: endMs - WRITE_LIFETIME_MS };
    const written = await guardedWrites(services, { ...writing, awaitsResults: true }, drafts);
    const failures: unknown[] = [];
    for (const each of written) {
      // The record's claim expires, and the next pass continues.
      if (each.kind === 'unjournalled') failures.push(each.error);
      else {
        const result = await finish(services, each);
        results.set(result.id, result);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
  return requests.map(({ state: { id } }) => results.get(id) ?? { kind: 'busy', id });
}

/** Claims the record, and stores the removal in its state before anything changes. */
function hold(
  services: RemovalServices,
  state: RecordState,
  removal: Removal,
): Promise<RecordClaim | 'busy' | 'forgotten'> {
  return holdRecord(services, state, {
    claimMs: CLAIM_MS,
    also: (known) => beginRemoval(known, removal),
    givesUp: removal.by === 'recall' ? (run) => isIn(removal, run) : undefined,
  });
}

/** Whether the answer of an open run may have been obtained in the recalled period. */
function isIn({ obtained }: Removal, { openedAtMs }: Run): boolean {
  return !obtained || openedAtMs <= obtained.toMs;
}

async function finish(
  services: RemovalServices,
  written: Exclude<WriteResult<PlannedRemoval>, { kind: 'unjournalled' }>,
): Promise<RemovalResult> {
  const draft = written.kind === 'done' ? written.plan.draft : written.draft;
  const { held, removal } = draft;
  const { id } = held;
  const unfinished = unfinishedReason(written);
  if (unfinished === 'not-allowed') return { kind: 'busy', id };
  // Earlier attempts may have emptied some properties.
  const journalled = await services.journal.read(held, held.state.runsOpened);
  const { removed: planned = {}, left = [] } = written.kind === 'done' ? written.plan : {};
  const changes = (journalled?.changes ?? []).filter((change) => isRemoval(change, planned));
  const removed = changes.map(({ property }) => property);
  const isFinished = unfinished === undefined;
  const isEmpty = isWhole(held.state, { removal, left });
  let endDisclosures = () => Promise.resolve();
  if (written.kind === 'done') {
    const { identifiers, records } = await purgeObtained(services, { held, removal });
    await services.journal.replace({ ...removalEntry(services, written.plan), changes });
    if (isFinished && isEmpty)
      endDisclosures = () =>
        services.forgetting.disclosures.end(identifiers, (item) => isStillHeld(services, item, records));
    await endDisclosures();
  }
  const outcome: OutcomeKind = !isFinished ? 'failed' : isEmpty ? 'skipped' : 'unchanged';
  const isSettled = await settleRecord(services, held, {
    ...{ kind: 'outcome', outcome, credits: held.run.credits },
    reason: isFinished
      ? removalReason(removal)
      : withNotes(removalReason(removal), [because('values-remain', { why: unfinished })]),
    learned: {
      ownership: { released: removed },
      ...(isFinished && { removed: { removal, left } }),
      // If a later answer stays, a stale record stays stale.
      ...(!takesNewestAnswer(held.state, removal) &&
        held.state.staleAtMs !== undefined && { staleAtMs: held.state.staleAtMs }),
    },
  });
  if (!isSettled) return { kind: 'busy', id };
  // Another removal of the same person may have seen this record as held, and this one that record.
  await endDisclosures();
  if (isFinished) return { kind: 'done', id, removed };
  services.logger.warn('values-not-removed', { recordId: recordKey(held) });
  return { kind: 'open', id, removed, reason: unfinished };
}

function isRemoval({ state, after, undone, property }: Change, taken: PlannedRemoval['removed']): boolean {
  const isEmptied = (after === '' && !undone) || Object.hasOwn(taken, property);
  return state === 'written' && isEmptied && !isStatus(property);
}

/** Returns the reason why the removal is unfinished; `not-allowed` if this worker no longer holds the record. */
function unfinishedReason(
  written: Exclude<WriteResult<PlannedRemoval>, { kind: 'unjournalled' }>,
): string | undefined {
  if (written.kind === 'stopped') return written.error.code;
  const { plan, result } = written;
  // A person can restore the record from HubSpot's archive, with its values.
  if (!plan.current && plan.kept.length === 0) return 'HubSpot does not have the record now';
  if (result === undefined && Object.keys(plan.writes).length > 0) return 'not-allowed';
  if (result && result.kind !== 'written') return result.reason;
  const [first] = plan.kept;
  return first && `${first.property} ${first.reason}`.trim();
}
