import { credits, dateWords, grouped, plural } from '../cards/words.ts';

export const PURPOSE_WORDS: Readonly<Record<string, string>> = {
  manual: 'A person',
  live: 'New leads',
  workflow: 'Workflows',
  import: 'Imports',
  refresh: 'Scheduled refresh',
  backfill: 'Backfills',
};

export const TYPE_WORDS = { contacts: 'Contacts', companies: 'Companies' } as const;

/** When a property is written, by its mode. */
export const WRITE_WORDS: Readonly<Record<string, string>> = {
  'fill-blank': 'Only into blanks',
  ours: 'Into blanks, and over values from enrichment',
  always: 'Over any value',
};

/** Labels of buttons that only the pages have. */
export const PAGE_BUTTONS = {
  stopAll: 'Stop all spending',
  resumeAll: 'Resume all spending',
  refresh: 'Refresh',
  refreshing: 'Reading new figures',
  charged: (count: number) => `Charged: book ${credits(count)}`,
  notCharged: 'Not charged: book 0',
  lookUpAgain: (most: number) => `Look up again: at most ${credits(most)}`,
  markSeen: 'Mark as seen',
  copy: 'Copy',
  copyClaims: 'Copy as CSV',
  admit: (records: number, most: number) => `Start ${grouped(records)} now: at most ${credits(most)}`,
  move: (move: string, most: number) => {
    const price = most === 0 ? ': free' : `: at most ${credits(most)}`;
    return `${MOVES[move] ?? move}${move in FREE_MOVES ? '' : price}`;
  },
  decline: 'Decline',
  rejectTicked: (count: number) => `Reject ${count} ticked`,
  open: (what: string) => `Show ${what}`,
  close: (what: string) => `Hide ${what}`,
} as const;

const FREE_MOVES = { pause: 'Pause', stop: 'Stop' } as const;
const MOVES: Readonly<Record<string, string>> = {
  ...FREE_MOVES,
  start: 'Start the trial',
  approve: 'Approve',
  resume: 'Resume',
};

/** Notes of the pages. */
export const PAGE_NOTES = {
  nothingKnown: 'Nothing is known yet',
  needsDecision: 'Needs a decision',
  nothingToDecide: 'Nothing needs a decision.',
  within: (days: number) => (days === 0 ? 'Today' : `In about ${plural(days, 'day')}`),
  stops: 'Stops',
  waited: (ms: number) =>
    ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`,
  more: (count: number) => `And ${grouped(count)} more.`,
  enough: (most: number) => `A budget of ${credits(most)} would have been enough.`,
  tooEarly: (time: string) => `An answer may still come. You can decide from ${time}.`,
  startedBy: (asker: string, time: string) => `Started by ${asker}, ${time}`,
  claims: (charges: number, most: number) =>
    `Claims for the vendor, wrong matches: ${plural(charges, 'charge')}, ${credits(most)}`,
  otherClaims:
    'The command "review claims" also lists requests that were booked as charged without an answer.',
  neverCovered: 'Never: raise them in the policy',
  examples: 'Damaged or without a match:',
  live: (ms: number) => `Live. Figures of ${agoWords(ms)} ago.`,
  timeZone: (timeZone: string) => `Times: ${timeZone}.`,
  old: (ms: number) => `${agoWords(ms)} old.`,
} as const;

function agoWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.floor(seconds / 60), 'minute'];
  const [shown, noun] = count < 60 || unit === 'second' ? [count, unit] : [Math.floor(count / 60), 'hour'];
  return plural(shown, noun);
}

/** `43%`. A share that is neither none nor all is never rounded to 0% or 100%. */
export function shareWords(share: number | undefined): string {
  if (share === undefined) return '-';
  if (share > 0 && share < 0.005) return '<1%';
  return share >= 0.995 && share < 1 ? '>99%' : `${Math.round(share * 100)}%`;
}

/** `14:31` of the same day, else `27 Nov, 14:31`. */
export function shortTime(atMs: number, { nowMs, timeZone }: { nowMs: number; timeZone: string }): string {
  const dayOf = (at: number) => dateWords('short', at, timeZone);
  const time = dateWords('clock', atMs, timeZone);
  return dayOf(atMs) === dayOf(nowMs) ? time : `${dayOf(atMs)}, ${time}`;
}

/** The time of a charge. If it counts on another day than that of its booking, both: `24 Nov, booked 28 Nov, 10:02`. */
export function whenWords(
  { atMs, day }: { atMs: number; day?: string | undefined },
  moment: { nowMs: number; timeZone: string },
): string {
  const bookedOn = new Intl.DateTimeFormat('en-CA', { timeZone: moment.timeZone }).format(atMs);
  const time = shortTime(atMs, moment);
  return day === undefined || day === bookedOn ? time : `${dayName(day)}, booked ${time}`;
}

/** `27 Nov` of `2026-11-27`. */
export function dayName(day: string): string {
  return dateWords('short', Date.parse(day), 'UTC');
}

export const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  match: 'Match',
  'no-match': 'No match',
  late: 'Charge proved late',
  other: 'Unknown outcome, booked as charged',
};
