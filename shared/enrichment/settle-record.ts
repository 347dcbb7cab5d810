import { type ObjectType, sourceOfAsker } from '#shared/crm';
import { textOf } from '#shared/identity';
import { errorCode, unreachable } from '#shared/kernel';
import { entryOf, type OwnershipChange } from '#shared/ownership';
import {
  changeRecord,
  defer,
  type RecordState,
  settle,
  type YieldCount,
  type YieldKind,
} from '#shared/records';
import type { NewFinding } from '#shared/review';
import type { ClaimedRecord, EnrichmentServices, RecordClaim, RunOutcome } from './services.ts';

type Services = Pick<EnrichmentServices, 'records' | 'clock' | 'policy' | 'statesWritten'>;

/**
 * Writes a run's outcome into the record's state, unless another worker holds the record now.
 * @returns whether this worker wrote it.
 */
export async function settleRecord(
  services: Services,
  held: RecordClaim | ClaimedRecord,
  runOutcome: RunOutcome,
): Promise<boolean> {
  const owner = held.state.claim?.owner;
  const { state: settled } = await changeRecord(services, held, (state): { state?: RecordState } => {
    if (state.claim?.owner !== owner) return {};
    const learned = {
      ...runOutcome.learned,
      ownership: withFilled(services, held, runOutcome.learned.ownership),
      ...weightIn(services, held),
      ...('admission' in held && { rule: held.admission.rule }),
    };
    const nowMs = services.clock.now();
    // Commitments are credits that the outcome does not include yet.
    const { commitments } = held.run;
    const known = state.run ? { ...state, run: { ...state.run, commitments } } : state;
    if (runOutcome.kind === 'deferred') return { state: defer(known, { ...runOutcome, learned, nowMs }) };
    const { outcome: kind, status = kind, reason, credits } = runOutcome;
    const outcome = { kind, ...(status !== kind && { status }), reason, credits, atMs: nowMs };
    return { state: settle(known, { outcome, learned }) };
  });
  return settled !== undefined;
}

/**
 * Adds the properties that the policy would write and that have or had a value. If such a property is empty later, it
 * is not filled.
 */
function withFilled(
  { policy }: Services,
  held: RecordClaim | ClaimedRecord,
  learned: OwnershipChange = {},
): OwnershipChange {
  if (!('record' in held)) return learned;
  const { record, state, emptied = [] } = held;
  const targets = new Set(policy.fields[held.objectType].map(({ property }) => property));
  const filledByOthers = [...targets].filter(
    (name) => textOf(record, name) && entryOf(state.ownership, name).written === undefined,
  );
  return { ...learned, seenFilled: [...(learned.seenFilled ?? []), ...emptied, ...filledByOthers] };
}

/** Returns the record's refresh weight in the policy. */
function weightIn({ policy }: Services, held: RecordClaim | ClaimedRecord): Pick<RecordState, 'weight'> {
  if (!('record' in held)) return {};
  const row = policy.refresh.weights[held.objectType].find(({ property, is, above }) => {
    const value = textOf(held.record, property);
    return is === undefined ? Number(value) > (above ?? 0) : value === is;
  });
  return { weight: row?.weight };
}

export interface ExaminedRun {
  readonly held: RecordClaim;
  readonly runOutcome: RunOutcome;
  /** Findings of an examined answer; absent if no answer was examined. */
  readonly findings?: readonly NewFinding[] | undefined;
}

/**
 * Stores a record's review items before its run is settled, so that a retry after a crash finds them. For a record
 * without any review item, this makes no request.
 */
export async function storeFindings(
  { reviews }: Pick<EnrichmentServices, 'reviews'>,
  { held, runOutcome, findings }: ExaminedRun,
): Promise<RunOutcome> {
  const { hasReview = false } = held.state;
  if (runOutcome.learned.isGone && hasReview) await reviews.gone(held);
  if (findings === undefined || (findings.length === 0 && !hasReview)) return runOutcome;
  const undecided = await reviews.looked(held, findings);
  return { ...runOutcome, learned: { ...runOutcome.learned, hasReview: undecided > 0 } };
}

interface Settled {
  readonly run: RecordClaim['run'];
  readonly objectType: ObjectType;
  /** The policy's rule, under its name in counts. */
  readonly rule?: string | undefined;
  readonly runOutcome: RunOutcome;
  /** Fields of the answer that were written in this attempt. */
  readonly fields: number;
}

/** Returns the yield of one attempt at a run; `undefined` for a postponed run that has written nothing. */
export function yieldOfRun({ run, objectType, rule, runOutcome, fields }: Settled): YieldCount | undefined {
  const { purpose, askedBy } = run;
  const counted = {
    purpose,
    ...(rule === undefined ? { objectType } : { rule }),
    ...(askedBy !== undefined && { source: sourceOfAsker(askedBy) }),
  };
  if (runOutcome.kind === 'outcome') return { ...counted, kind: kindOf(runOutcome), runs: 1, fields };
  // The run itself is counted when it ends.
  return fields > 0 ? { ...counted, kind: 'filled', runs: 0, fields } : undefined;
}

function kindOf({ outcome, status, learned }: Extract<RunOutcome, { kind: 'outcome' }>): YieldKind {
  if (learned.isGone) return 'gone';
  switch (outcome) {
    case 'enriched':
      return 'filled';
    case 'unchanged':
      // Without an answer, no question was asked.
      return learned.answeredQuestion === undefined ? 'skipped' : 'confirmed';
    case 'unmatched':
      return status === 'review' ? 'review' : 'unmatched';
    case 'skipped':
    case 'failed':
      return outcome;
    default:
      return unreachable(outcome);
  }
}

/**
 * Stores the yield of a batch in one write. A failure is only logged, because neither the ledger nor the records depend
 * on the yield.
 */
export async function recordYield(
  { days, logger }: Pick<EnrichmentServices, 'days' | 'logger'>,
  runYields: readonly (YieldCount | undefined)[],
): Promise<void> {
  try {
    await days.addYields(runYields.flatMap((each) => each ?? []));
  } catch (error) {
    logger.warn('yield-not-stored', { code: errorCode(error) });
  }
}
