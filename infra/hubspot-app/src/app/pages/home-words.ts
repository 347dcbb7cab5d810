import { credits, grouped } from '../cards/words.ts';

export const PURPOSE_WORDS: Readonly<Record<string, string>> = {
  manual: 'A person',
  live: 'New or changed record',
  workflow: 'Workflow',
  import: 'Import',
  refresh: 'Scheduled refresh',
  backfill: 'Backfill',
};

/** Labels of buttons that only the home page has. */
export const PAGE_BUTTONS = {
  charged: 'It was charged',
  notCharged: 'It was not charged',
  resume: 'Resume spending',
  resumeAll: 'Resume all spending',
  admit: (records: number, most: number) => `Start ${records} now: at most ${credits(most)}`,
  stopBackfill: 'Stop for good',
  move: (move: keyof typeof MOVES, most?: number) => {
    const price = most === 0 ? ': free' : `: at most ${credits(most ?? 0)}`;
    return `${MOVES[move]}${most === undefined ? '' : price}`;
  },
} as const;

const MOVES = {
  start: 'Start the trial',
  approve: 'Approve the rest',
  pause: 'Pause',
  resume: 'Resume',
} as const;

/** Notes of the home page. */
export const PAGE_NOTES = {
  nothingKnown: 'Nothing is known yet',
  nothingToDecide: 'Nothing needs a decision.',
  lastKnown: 'This is the last known state: the installation did not answer.',
  timeZone: (timeZone: string) => `Times are in the time zone ${timeZone}.`,
  thisMonth: (count: number) => `${credits(count)} this month`,
  /** Empty if the budget pays for all records. */
  paidNow: (records: number, pays: number) => {
    if (pays >= records) return '';
    const first = pays === 0 ? 'may pay for none' : `pays for at least ${grouped(pays)}`;
    return ` At the highest price, the budget ${first} of the ${grouped(records)} now; the others wait until it resets.`;
  },
} as const;

export const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  match: 'Match',
  'no-match': 'No match',
  late: 'Charge proved late',
};

interface RecordName {
  readonly objectType: 'contacts' | 'companies';
  readonly id: string;
}

/** Shows only the id, because the installation sends no names. */
export function recordWord({ objectType, id }: RecordName): string {
  return `${objectType === 'contacts' ? 'Contact' : 'Company'} ${id}`;
}

/** The record's page in HubSpot. */
export function recordHref({ objectType, id }: RecordName, portalId: number | undefined): string {
  return `/contacts/${portalId ?? ''}/record/${objectType === 'contacts' ? '0-1' : '0-2'}/${id}`;
}
