import { withOwnership } from '#shared/ownership';
import type { RecordState, Removal } from './schemas.ts';

/**
 * States of a permanent removal of our values, because they expired (retention) or their source must not be used
 * (recall):
 *
 * none -> begun -> done -> none        (a later answer, if a rule of the policy allows to buy one)
 *
 * `begun` is stored before anything changes. From then on, nothing is bought for the record.
 */
export function beginRemoval(state: RecordState, removal: Removal): RecordState {
  return takesNewestAnswer(state, removal) ? { ...state, removal } : state;
}

/** Whether a removal has begun and not finished. */
export function isUnderWay({ removal }: Pick<RecordState, 'removal'>): boolean {
  return removal !== undefined && !removal.isDone;
}

/** Whether the removal includes the record's newest answer. The record may still hold values of an older answer. */
export function takesNewestAnswer(
  { answeredAtMs }: Pick<RecordState, 'answeredAtMs'>,
  { obtained }: Removal,
): boolean {
  if (!obtained || answeredAtMs === undefined) return true;
  return answeredAtMs >= obtained.fromMs && answeredAtMs <= obtained.toMs;
}

/** A finished removal, and the properties that still hold our older values. */
export interface Removed {
  readonly removal: Removal;
  readonly left: readonly string[];
}

/**
 * Returns the record after a removal. Without its newest answer, the record counts as never answered. Its cost and the
 * remaining older values stay. The time of the first answer decides when these values expire.
 */
export function withoutObtained(state: RecordState, { removal, left }: Removed): RecordState {
  if (!takesNewestAnswer(state, removal)) {
    const { removal: begun, ...others } = state;
    const isThisRemoval = begun?.by === removal.by && begun.atMs === removal.atMs;
    return isThisRemoval ? others : state;
  }
  const { fingerprint: _f, answeredAtMs: _a, answeredQuestion: _q, ...rest } = state;
  const { obtainedAtMs, employer: _e, staleAtMs: _s, ...others } = rest;
  const released = Object.keys(state.ownership).filter((property) => !left.includes(property));
  return {
    ...others,
    ...(left.length > 0 && obtainedAtMs !== undefined && { obtainedAtMs }),
    ownership: withOwnership(state.ownership, { released }),
    removal: { ...removal, isDone: true },
  };
}

/** Returns the changes that a new answer makes to the removal fields. */
export function obtainedBy(
  { obtainedAtMs, removal }: Pick<RecordState, 'obtainedAtMs' | 'removal'>,
  { answeredAtMs }: Pick<Partial<RecordState>, 'answeredAtMs'>,
): Pick<Partial<RecordState>, 'obtainedAtMs' | 'removal'> {
  if (answeredAtMs === undefined) return {};
  const isSuperseded = removal?.isDone === true && answeredAtMs > removal.atMs;
  return { obtainedAtMs: obtainedAtMs ?? answeredAtMs, ...(isSuperseded && { removal: undefined }) };
}

type Obtained = Pick<RecordState, 'obtainedAtMs' | 'removal'>;

/** Joins the removals of two merged records. An unfinished removal continues for the joinedRemoval record. */
export function joinRemovals(winner: Obtained, loser: Obtained): Partial<Obtained> {
  const times = [winner.obtainedAtMs, loser.obtainedAtMs].filter((ms) => ms !== undefined);
  const open = [winner, loser].flatMap(({ removal }) => (removal && !removal.isDone ? [removal] : []));
  const removal =
    open.reduceRight<Removal | undefined>(joinedRemoval, undefined) ?? winner.removal ?? loser.removal;
  return { ...(times.length > 0 && { obtainedAtMs: Math.min(...times) }), ...(removal && { removal }) };
}

/** Joins two recalls into one over both periods. A removal of all values includes any other. */
function joinedRemoval(second: Removal | undefined, first: Removal): Removal {
  if (!second?.obtained || !first.obtained) return second && !second.obtained ? second : first;
  const [a, b] = [first.obtained, second.obtained];
  return {
    ...first,
    obtained: { fromMs: Math.min(a.fromMs, b.fromMs), toMs: Math.max(a.toMs, b.toMs) },
  };
}
