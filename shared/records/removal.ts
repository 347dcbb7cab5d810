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
  return { ...state, removal };
}

/** The record once nothing of the removed values is left: it was never answered, but for what it cost. */
export function withoutObtained(state: RecordState, removal: Removal): RecordState {
  const { fingerprint: _f, answeredAtMs: _a, answeredQuestion: _q, answeredCompany: _c, ...rest } = state;
  const { obtainedAtMs: _o, employer: _e, changeRate: _r, staleAtMs: _s, ...others } = rest;
  const verdicts = state.verdicts.flatMap(({ questionKey, askedAtMs, rejected }) =>
    rejected ? [{ questionKey, askedAtMs, rejected }] : [],
  );
  const ownership = withOwnership(state.ownership, { released: Object.keys(state.ownership) });
  return { ...others, ownership, verdicts, removal: { ...removal, isDone: true } };
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

/**
 * Of a record and another that is merged into it. What was begun for the loser is begun anew for the winner, by the
 * winner's own times.
 */
export function removalOfBoth(winner: Obtained, loser: Obtained): Partial<Obtained> {
  const times = [winner.obtainedAtMs, loser.obtainedAtMs].filter((ms) => ms !== undefined);
  const removal = winner.removal ?? (loser.removal && ({ ...loser.removal, isDone: true } as const));
  return { ...(times.length > 0 && { obtainedAtMs: Math.min(...times) }), ...(removal && { removal }) };
}
