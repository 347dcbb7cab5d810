import type { IndexedItems, IndexPosition } from '#shared/versioned-items/store.ts';
import type { BookedCharge, QuestionItem } from './schemas.ts';

const BOOKED_DOUBTS = 'doubts-booked';

/** Where a question stands in the index: with the booked doubts, oldest first. Most stand nowhere. */
export function questionPlace({ bookedDoubts }: QuestionItem): IndexPosition | undefined {
  const [oldest] = bookedDoubts ?? [];
  return oldest && { partition: BOOKED_DOUBTS, order: oldest.sentAtMs };
}

/** A request that left no answer, and was booked as charged without a proof. No personal data. */
export interface BookedDoubt extends BookedCharge, Pick<QuestionItem, 'operation'> {
  readonly questionKey: string;
}

export interface BookedDoubts {
  /** Oldest first. */
  readonly doubts: readonly BookedDoubt[];
  readonly credits: number;
  /** There are more of them than these. */
  readonly isMore: boolean;
}

/** Far more than a person settles in a day. */
const MOST_QUESTIONS = 200;

/** Reads the doubts that were booked as charged and that no person or late answer has settled yet. */
export async function readBookedDoubts(
  items: Pick<IndexedItems<QuestionItem>, 'list'>,
): Promise<BookedDoubts> {
  const found = await items.list({ partition: BOOKED_DOUBTS, limit: MOST_QUESTIONS + 1 });
  const doubts = found
    .slice(0, MOST_QUESTIONS)
    .flatMap(({ key: questionKey, operation, bookedDoubts = [] }) =>
      bookedDoubts.map((booked) => ({ ...booked, questionKey, operation })),
    );
  const credits = doubts.reduce((sum, booked) => sum + booked.credits, 0);
  return { doubts, credits, isMore: found.length > MOST_QUESTIONS };
}
