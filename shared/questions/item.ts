import type { Purpose } from '../credit-ledger/entries.ts';
import type { QuestionOperation, QuestionOption } from './question.ts';

/**
 * One asking of a question, from the lease to its verdict:
 * `leased` (nothing sent) -> `sent` -> `settled` (verdict known) or `doubt` (nobody can know).
 */
export interface Asking {
  /** Rises with every asking; reservation ids are made of it. */
  readonly fence: number;
  readonly state: 'leased' | 'sent' | 'settled' | 'doubt';
  readonly purpose: Purpose;
  readonly options: readonly QuestionOption[];
  readonly reservationId: string;
  readonly worstCaseCredits: number;
  /** A lease that is still unsent after this may be taken over. Epoch milliseconds. */
  readonly leaseUntilMs: number;
  readonly sentAtMs?: number | undefined;
  /** After this no answer to the request can come any more. */
  readonly deadlineAtMs?: number | undefined;
  /** The verdict: what the vendor charged, and why. Booked in the ledger after it stands here. */
  readonly charge?: { readonly credits: number; readonly reason: string } | undefined;
}

export interface StoredAnswer {
  /** `forgotten`: it was about somebody who is not to be known; it keeps the question from being paid for again. */
  readonly kind: 'found' | 'no-match' | 'forgotten';
  readonly options: readonly QuestionOption[];
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  /** What the asking that brought it was charged. */
  readonly credits: number;
  /** How often in a row there was no match; the negative answer keeps longer after each. */
  readonly misses: number;
  /** The record, packed; absent where there is none, and where it lies in parts. */
  readonly packed?: string | undefined;
  /** The packed record was too large for this item: the items that hold it, in order. */
  readonly parts?: readonly string[] | undefined;
}

/** Everything known of one question. There is one such item per question key. */
export interface QuestionItem {
  readonly key: string;
  readonly operation: QuestionOperation;
  /** The highest fence ever given; never less than the moment in which it was, epoch milliseconds. */
  readonly fence: number;
  readonly asking?: Asking | undefined;
  /** The newest one, fresh or not. */
  readonly answer?: StoredAnswer | undefined;
  /** Newest first: older ones that include what the newer ones do not. */
  readonly olderAnswers?: readonly StoredAnswer[] | undefined;
}

export function reservationId(key: string, fence: number): string {
  return `${key}:${fence}`;
}

/** The fence after an item's own; of the clock, so that it rises on even where an older item is gone. */
export function nextFence(item: Pick<QuestionItem, 'fence'> | undefined, nowMs: number): number {
  return Math.max((item?.fence ?? 0) + 1, nowMs);
}
