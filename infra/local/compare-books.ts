import { counted } from '#shared/spend/figures.ts';
import type { Narrator } from './narrator.ts';

interface Books {
  /** Of the ledger, since its first entry; credits. */
  readonly posted: number;
  readonly doubtful: number;
  /** Booked as charged without a proof; part of `posted`. */
  readonly booked: number;
  /** What the stand-in of the data service says it charged. */
  readonly charged: number;
}

/** Tells whether the ledger is the bill. Whether a doubt was charged, only the bill can tell. */
export function compareBooks(
  narrator: Pick<Narrator, 'say'>,
  { posted, doubtful, booked, charged }: Books,
): boolean {
  if (doubtful > 0)
    narrator.say(
      `In doubt: at most ${counted(doubtful, 'credit')}, for requests that were cut off before their answer; see: npm run -s cli -- doubts list`,
    );
  if (booked > 0)
    narrator.say(
      `Booked as charged without a proof: ${counted(booked, 'credit')}; see: npm run -s cli -- doubts list`,
    );
  const agrees = posted - booked <= charged && charged <= posted + doubtful;
  narrator.say(agrees ? 'The books agree.' : 'THE BOOKS DIFFER.');
  return agrees;
}
