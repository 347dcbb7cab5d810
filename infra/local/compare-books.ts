import { commandText, counted } from '#shared/kernel';
import type { Narrator } from './narrator.ts';

const DOUBTS = `npm run -s cli -- ${commandText('doubts list', undefined)}`;

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
  const difference = charged - posted;
  const agrees = -booked <= difference && difference <= doubtful;
  if (doubtful > 0)
    narrator.say(
      `In doubt: at most ${counted(doubtful, 'credit')}, for requests that were cut off before their answer; see: ${DOUBTS}`,
    );
  if (booked > 0)
    narrator.say(`Booked as charged without a proof: ${counted(booked, 'credit')}; see: ${DOUBTS}`);
  if (!agrees) narrator.say('THE BOOKS DIFFER.');
  else if (difference === 0) narrator.say('The books agree.');
  else narrator.say(`The books agree except for ${why(difference)}`);
  return agrees;
}

function why(difference: number): string {
  return difference > 0
    ? `${counted(difference, 'credit')} on the bill that the ledger lacks: requests in doubt were charged.`
    : `${counted(-difference, 'credit')} in the ledger that the bill lacks: they were booked as charged without a proof.`;
}
