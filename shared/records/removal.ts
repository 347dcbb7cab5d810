import { withOwnership } from '#shared/ownership';
import type { RecordState, Removal } from './schemas.ts';

/**
 * Values that we obtained are taken back for good, because they expired (retention) or their source may not be used
 * (recall):
 *
 *     none -> begun -> done -> none        (a later answer, if a rule of the policy allows to buy one)
 *
 * Begun is stored before anything is changed, so that nothing is bought for the record from then on.
 */
export function begunRemoval(state: RecordState, removal: Removal): RecordState {
  return takesNewestAnswer(state, removal) ? { ...state, removal } : state;
}

/** A removal has begun and is not over. */
export function isUnderWay({ removal }: Pick<RecordState, 'removal'>): boolean {
  return removal !== undefined && !removal.isDone;
}

/** Whether the record's newest answer goes too. An older answer may have left values beside it. */
export function takesNewestAnswer(
  { answeredAtMs }: Pick<RecordState, 'answeredAtMs'>,
  { obtained }: Removal,
): boolean {
  if (!obtained || answeredAtMs === undefined) return true;
  return answeredAtMs >= obtained.fromMs && answeredAtMs <= obtained.toMs;
}

/** What a finished removal took, and the properties that still hold older values of ours. */
export interface Removed {
  readonly removal: Removal;
  readonly left: readonly string[];
}

/**
 * The record after a removal. If the newest answer went, the record counts as never answered, but for its cost and for the
 * older values that are left. They expire by the first answer's time.
 */
export function withoutObtained(state: RecordState, { removal, left }: Removed): RecordState {
  if (!takesNewestAnswer(state, removal)) {
    const { removal: begun, ...standing } = state;
    const isThis = begun?.by === removal.by && begun.atMs === removal.atMs;
    return isThis ? standing : state;
  }
  const { fingerprint: _f, answeredAtMs: _a, answeredQuestion: _q, answeredCompany: _c, ...rest } = state;
  const { obtainedAtMs, employer: _e, changeRate: _r, staleAtMs: _s, ...others } = rest;
  const released = Object.keys(state.ownership).filter((property) => !left.includes(property));
  return {
    ...others,
    ...(left.length > 0 && obtainedAtMs !== undefined && { obtainedAtMs }),
    ownership: withOwnership(state.ownership, { released }),
    removal: { ...removal, isDone: true },
  };
}

/** What an answer changes of it. @param learned of a run. */
export function obtainedBy(
  { obtainedAtMs, removal }: Pick<RecordState, 'obtainedAtMs' | 'removal'>,
  { answeredAtMs }: Pick<Partial<RecordState>, 'answeredAtMs'>,
): Pick<Partial<RecordState>, 'obtainedAtMs' | 'removal'> {
  if (answeredAtMs === undefined) return {};
  const isOver = removal?.isDone === true && answeredAtMs > removal.atMs;
  return { obtainedAtMs: obtainedAtMs ?? answeredAtMs, ...(isOver && { removal: undefined }) };
}

type Obtained = Pick<RecordState, 'obtainedAtMs' | 'removal'>;

/** Joins the removals of two merged records. A removal that is not over continues for the joined record. */
export function removalOfBoth(winner: Obtained, loser: Obtained): Partial<Obtained> {
  const times = [winner.obtainedAtMs, loser.obtainedAtMs].filter((ms) => ms !== undefined);
  const open = [winner, loser].flatMap(({ removal }) => (removal && !removal.isDone ? [removal] : []));
  const removal = open.reduceRight<Removal | undefined>(joined, undefined) ?? winner.removal ?? loser.removal;
  return { ...(times.length > 0 && { obtainedAtMs: Math.min(...times) }), ...(removal && { removal }) };
}

/** Two recalls become one over both times. A removal of all values includes any other. */
function joined(second: Removal | undefined, first: Removal): Removal {
  if (!second?.obtained || !first.obtained) return second && !second.obtained ? second : first;
  const [a, b] = [first.obtained, second.obtained];
  return {
    ...first,
    obtained: { fromMs: Math.min(a.fromMs, b.fromMs), toMs: Math.max(a.toMs, b.toMs) },
  };
}
