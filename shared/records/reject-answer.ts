import { MAX_REJECTED, type RecordState, type Rejected } from './schemas.ts';

/** A person says that an answer is about somebody else. Safe to repeat. */
export function rejectAnswer(state: RecordState, rejected: Rejected): RecordState {
  const isSame = (each: Rejected) =>
    each.questionKey === rejected.questionKey && each.askedAtMs === rejected.askedAtMs;
  const others = (state.rejected ?? []).filter((each) => !isSame(each));
  return { ...state, rejected: latestRejected([...others, rejected]) };
}

/** A person does not want these values of an answer: nobody writes them, until another answer comes. Safe to repeat. */
export function declineValues(
  state: RecordState,
  declined: NonNullable<RecordState['declined']>,
): RecordState {
  return state.forgottenAtMs === undefined ? { ...state, declined } : state;
}

/** Names of what a person does not want of this answer. */
export function declinedOf(
  declined: NonNullable<RecordState['declined']>,
  { questionKey, askedAtMs }: Pick<Rejected, 'questionKey' | 'askedAtMs'>,
): readonly string[] {
  const isIt = declined.questionKey === questionKey && declined.askedAtMs === askedAtMs;
  return isIt ? declined.properties : [];
}

/** What a run has learned of them: those it rejected are added, the one that a person trusts by now is taken out. */
export function rejectedBy(
  { rejected: known = [] }: RecordState,
  { rejected = [], trusted }: Partial<Pick<RecordState, 'rejected' | 'trusted'>>,
): Rejected[] {
  const isTrusted = ({ questionKey, askedAtMs }: Rejected) =>
    questionKey === trusted?.questionKey && askedAtMs === trusted.askedAtMs;
  return latestRejected([...known, ...rejected].filter((each) => !isTrusted(each)));
}

export function latestRejected(rejected: readonly Rejected[]): Rejected[] {
  return rejected.slice(-MAX_REJECTED);
}
