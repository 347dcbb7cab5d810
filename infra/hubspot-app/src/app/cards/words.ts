import type { CardQuote, CardStanding } from './service.ts';

const OPERATIONS: Readonly<Record<string, string>> = {
  personProfile: 'Person profile',
  reverseEmail: 'Reverse email lookup',
  lookUpPerson: 'Person lookup',
  reversePhone: 'Reverse phone lookup',
  companyProfile: 'Company profile',
};

/** Kinds of findings. */
export const FINDING_WORDS: Readonly<Record<string, string>> = {
  contradiction: 'Contradiction',
  'job-change': 'Job change',
  duplicate: 'Possible duplicate',
  association: 'Company to associate',
  proposal: 'Proposed values',
};

export function operationName(operation: string | undefined): string {
  return operation === undefined ? 'No answer' : (OPERATIONS[operation] ?? 'Another lookup');
}

export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

export function credits(count: number): string {
  return count === 1 ? '1 credit' : `${grouped(count)} credits`;
}

/** Labels of the card's buttons. */
export const BUTTONS = {
  enrich: 'Enrich now',
  spend: (most: number) => (most === 0 ? 'Use it' : `Spend at most ${credits(most)}`),
  notNow: 'Not now',
  undo: (label: string) => `Undo ${label}`,
  undoRun: 'Undo this run',
  wrongMatch: 'Wrong match',
  sureWrongMatch: 'Yes, a wrong match',
  no: 'No',
  showValues: 'Show values',
  accept: (values: number) => `Accept ${values === 1 ? '1 value' : `${values} values`}`,
  done: 'Done',
  reject: 'Reject',
  look: 'Look again',
  retry: 'Try again',
  close: 'Close',
} as const;

/** Titles and notes of the card and the home page. */
export const NOTES = {
  noAnswer: 'The enrichment does not answer',
  slow: 'Still under way',
  notAccepted: 'Not accepted',
  keepsAsking: 'The card keeps asking; nothing is paid twice.',
  nothingOurs: 'No value here is ours',
  rule: (name: string) => `Rule: ${name}`,
  charged: (count: number) => `Charged: ${credits(count)}.`,
  undone: (values: number) => {
    if (values === 0) return 'Nothing of ours was left to undo';
    return values === 1 ? '1 value undone' : `${values} values undone`;
  },
  isKept: 'Stays as it is in HubSpot',
  isWritten: 'Write',
} as const;

/** States of a value that we wrote. */
export const VALUE_STATES = {
  ours: { word: 'Still ours', variant: 'success' },
  changed: { word: 'No longer ours', variant: 'default' },
  empty: { word: 'Emptied since', variant: 'default' },
} as const;

/** `21 Nov 2026`. */
export function day(atMs: number, timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone }).format(atMs);
}

/** `21 Nov 2026, 20:24`. */
export function localTime(atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(atMs);
}

/** `Person profile, at most 3 credits`. */
export function priceOf({ questions, credits: most }: CardQuote): string {
  const names = questions.map(({ operation }) => operationName(operation)).join(', then ');
  return most === 0
    ? `${names}: the answer is here already and costs nothing.`
    : `${names}: at most ${credits(most)}.`;
}

type Variant = 'default' | 'info' | 'success' | 'warning' | 'danger';

export interface Said {
  readonly word: string;
  readonly variant: Variant;
  readonly why: string;
}

const VARIANTS: Readonly<Record<string, Variant>> = {
  enriched: 'success',
  unchanged: 'success',
  unmatched: 'warning',
  review: 'warning',
  failed: 'danger',
};

export const QUEUED: Said = {
  word: 'Queued',
  variant: 'info',
  why: `It waits for its turn. "${BUTTONS.enrich}" serves it at once.`,
};

export function said(standing: CardStanding): Said {
  const { label: word, why } = standing;
  switch (standing.kind) {
    case 'under-way':
      return { word, variant: 'info', why };
    case 'waiting': {
      const { until, untilMs, afterMs } = standing;
      const time = (atMs: number) => `after ${localTime(atMs, 'UTC')} UTC`;
      const earliest = afterMs === undefined ? '' : `, ${time(afterMs)}`;
      const end = until ? `It waits until ${until}${earliest}.` : `It continues ${time(untilMs)}.`;
      return { word, variant: 'warning', why: `${why} ${end}` };
    }
    case 'ended': {
      const { kind, status = kind, atMs } = standing.outcome;
      return { word: `${word} on ${day(atMs)}`, variant: VARIANTS[status] ?? 'default', why };
    }
    default:
      return { word, variant: 'default', why };
  }
}
