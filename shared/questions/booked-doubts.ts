import { keyInPortal } from '#shared/crm';
import type { IndexedItems, Owners } from '#shared/store';
import type { Attempt, BookedCharge, QuestionItem } from './schemas.ts';
import { questionKind } from './stored-kinds.ts';

/** A request without an answer. No personal data. */
export interface StoredDoubt
  extends Pick<QuestionItem, 'operation'>,
    Pick<Attempt, 'purpose' | 'sentAtMs' | 'deadlineAtMs'> {
  readonly questionKey: string;
  readonly reservationId: string;
  /** The worst-case cost of the request. */
  readonly credits: number;
  /** `contacts#123`, or the name of another portal's record; absent for a question about several records or none. */
  readonly record?: string | undefined;
}

const OPEN = questionKind.partition('doubts-open');

type IndexedQuestions = Pick<IndexedItems<QuestionItem>, 'list'>;

/** Reads the open doubts, the oldest first. */
export async function readOpenDoubts(
  { items, owners }: { readonly items: IndexedQuestions; readonly owners: Owners },
  limit?: number,
): Promise<StoredDoubt[]> {
  const found = await items.list({ partition: OPEN, ...(limit !== undefined && { limit }) });
  return found.flatMap(({ key: questionKey, operation, attempt }) => {
    if (attempt?.state !== 'in-doubt') return [];
    const {
      reservationId,
      purpose,
      sentAtMs,
      deadlineAtMs,
      worstCaseCredits: credits,
      record: name,
    } = attempt;
    const record = name && (keyInPortal(owners.portal, name) ?? name);
    const doubt = { questionKey, operation, reservationId, purpose, sentAtMs, deadlineAtMs, credits };
    return [{ ...doubt, ...(record !== undefined && { record }) }];
  });
}

/** A request without an answer. The policy assumed the charge and booked it. No personal data. */
export interface BookedDoubt extends BookedCharge, Pick<QuestionItem, 'operation'> {
  readonly questionKey: string;
}

export interface BookedDoubts {
  /** Oldest first. */
  readonly doubts: readonly BookedDoubt[];
  readonly credits: number;
  /** The list was cut at its limit. */
  readonly isMore: boolean;
}

/** Limit of the list: more than a person can settle in a day. */
const MAX_QUESTIONS = 200;

/** Reads doubts that were booked as charged, and that no person and no late answer has settled. */
export async function readBookedDoubts(items: IndexedQuestions): Promise<BookedDoubts> {
  // A question that is in doubt again is listed under the open doubts.
  const lists = await Promise.all(
    [questionKind.partition('doubts-booked'), OPEN].map((partition) =>
      items.list({ partition, limit: MAX_QUESTIONS + 1 }),
    ),
  );
  const found = lists.flat().filter(({ bookedDoubts }) => bookedDoubts);
  const doubts = found
    .slice(0, MAX_QUESTIONS)
    .flatMap(({ key: questionKey, operation, bookedDoubts = [] }) =>
      bookedDoubts.map((booked) => ({ ...booked, questionKey, operation })),
    );
  const credits = doubts.reduce((sum, booked) => sum + booked.credits, 0);
  return { doubts, credits, isMore: found.length > MAX_QUESTIONS };
}
