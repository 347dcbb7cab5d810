import type { CardQuote, CardStanding } from './service.ts';

const OPERATIONS: Readonly<Record<string, string>> = {
  personProfile: 'Person profile',
  reverseEmail: 'Reverse email lookup',
  lookUpPerson: 'Person lookup',
  reversePhone: 'Reverse phone lookup',
  companyProfile: 'Company profile',
  companiesByDomain: 'Company search',
};

export function operationName(operation: string | undefined): string {
  return operation === undefined ? 'No answer' : (OPERATIONS[operation] ?? 'Another lookup');
}

export function credits(count: number): string {
  return count === 1 ? '1 credit' : `${count.toLocaleString('en-US')} credits`;
}

export function day(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** `2026-11-21, 20:24 UTC`. */
function minute(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ', ')} UTC`;
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

const OUTCOMES: Readonly<Record<string, readonly [word: string, variant: Variant]>> = {
  enriched: ['Enriched', 'success'],
  unchanged: ['Up to date', 'success'],
  unmatched: ['No match', 'warning'],
  skipped: ['Left alone', 'default'],
  failed: ['Failed', 'danger'],
};

export const QUEUED: Said = {
  word: 'Queued',
  variant: 'info',
  why: 'It waits for its turn. "Enrich now" serves it at once.',
};

export function said(standing: CardStanding): Said {
  switch (standing.kind) {
    case 'unknown':
      return { word: 'Not looked at yet', variant: 'default', why: '' };
    case 'under-way':
      return { word: 'Under way', variant: 'info', why: '' };
    case 'forgotten':
      return { word: 'Forgotten', variant: 'default', why: 'Its person asked to be forgotten.' };
    case 'merged':
      return { word: 'Merged', variant: 'default', why: 'It was merged into another record: ask there.' };
    case 'waiting': {
      const { why, untilMs } = standing;
      return { word: 'Waiting', variant: 'warning', why: `${why} It continues after ${minute(untilMs)}.` };
    }
    case 'ended': {
      const { kind, reason, atMs } = standing.outcome;
      const [word, variant] = OUTCOMES[kind] ?? ['Ended', 'default' as const];
      return { word: `${word} on ${day(atMs)}`, variant, why: reason };
    }
  }
}
