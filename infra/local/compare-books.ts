import { commandText, counted } from '#shared/kernel';
import type { Narrator } from './narrator.ts';

const DOUBTS = `npm run -s cli -- ${commandText('doubts list', undefined)}`;

interface Books {
  /** Charged credits of the ledger since its first entry. */
  readonly posted: number;
  readonly doubtful: number;
  /** Credits booked as charged without a proof; part of `posted`. */
  readonly booked: number;
  /** Credits that the stand-in data service reports as charged. */
  readonly charged: number;
}

/** Reports whether the ledger agrees with the data service's bill. Only the bill shows whether a doubt was charged. */
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
  else narrator.say(`The books agree except for ${differenceText(difference)}`);
  return agrees;
}

function differenceText(difference: number): string {
  return difference > 0
    ? `${counted(difference, 'credit')} on the bill that the ledger lacks: requests in doubt were charged.`
    : `${counted(-difference, 'credit')} in the ledger that the bill lacks: they were booked as charged without a proof.`;
}
