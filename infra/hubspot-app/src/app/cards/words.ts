import type { CardObjectType, CardQuote, CardStanding, RunName, Value } from './service.ts';

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

/** `1 run`, `2 runs`. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function credits(count: number): string {
  return plural(count, 'credit');
}

/** Labels of the card's buttons. */
export const BUTTONS = {
  pricing: 'Working out the price',
  /** `Fill up to 2 blanks: at most 3 credits`. The answer of a free lookup is known, so its number is exact. */
  buy: ({ credits: most, fills = [] }: Pick<CardQuote, 'credits' | 'fills'>, isExcluded = false) => {
    const blanks = `Fill ${most === 0 ? '' : 'up to '}${plural(fills.length, 'blank')}`;
    const does = isExcluded ? 'Look up anyway' : fills.length === 0 ? 'Check again' : blanks;
    return `${does}: ${most === 0 ? 'free' : `at most ${credits(most)}`}`;
  },
  undo: (label: string) => `Undo ${label}`,
  undoAll: (values: number) => `Undo ${values === 1 ? '1 value' : `all ${values} values`}`,
  undoJob: (values: number) => `Undo new job: ${plural(values, 'value')}`,
  allValues: (values: number) => `All ${values} values`,
  wrongMatch: 'Wrong match',
  sureWrongMatch: 'Yes, a wrong match',
  no: 'No',
  acceptAll: 'Accept all values',
  acceptJob: 'Accept new job',
  keepOld: 'Keep old',
  notThisPerson: 'Not this person',
  wrongPerson: (type: CardObjectType) =>
    type === 'contacts' ? 'Wrong person: reject' : 'Wrong company: reject',
  sureOther: 'Yes, write these values',
  accept: (values: number) => `Accept ${plural(values, 'value')}`,
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
  keepsAsking: 'This page keeps asking; nothing is paid twice.',
  decided: 'Decided',
  stays: 'Without a decision, the record stays as it is.',
  values: (count: number) => plural(count, 'value'),
  history: (runs: number) => `History: ${plural(runs, 'run')}`,
  timeZone: (timeZone: string) => `Times: ${timeZone}.`,
  fromEnrichment: 'From enrichment',
  unlisted: (spent: number) => `Runs that are not listed: ${credits(spent)}.`,
  another: (type: CardObjectType) => (type === 'contacts' ? 'Another person' : 'Another company'),
  nothingTicked: 'Nothing is ticked, because the answer may be about someone else',
  writesOther: (type: CardObjectType) =>
    `This writes another ${WHO[type]}'s data. The credits of the answer then cannot be claimed back.`,
  nothingToWrite: 'There is nothing left to write: accepting would change no value.',
  empty: 'empty',
  charged: (count: number) => `Charged: ${credits(count)}.`,
  undone: (values: number) =>
    values === 0 ? 'Nothing of ours was left to undo' : `${plural(values, 'value')} undone`,
  isKept: 'kept',
} as const;

const WHO = { contacts: 'person', companies: 'company' } as const;

/** What people did with a value from enrichment. */
export const EDITS = { changed: 'Edited by a person', empty: 'Emptied by a person' } as const;

/**
 * Returns the job change that a run wrote and nobody has edited since: `Moved from Quux (Cook) to Vale (Baker), found on
 * 21 November 2026.`
 */
export function jobMove(values: readonly Value[], timeZone: string) {
  const changedAt = values.find(({ property }) => property === 'enrichment_job_changed_at');
  const ofRun = values.filter(({ now, run }) => now === 'ours' && isSameRun(run, changedAt?.run));
  const [company, title, previous] = ['company', 'jobtitle', 'enrichment_previous_company'].map((name) =>
    ofRun.find(({ property }) => property === name),
  );
  if (changedAt?.now !== 'ours' || !company) return undefined;
  const job = (employer: string, role = '') => (role === '' ? employer : `${employer} (${role})`);
  const from = job(company.before || (previous?.value ?? NOTES.empty), title?.before);
  const to = job(company.value, title?.value);
  const says = `Moved from ${from} to ${to}, found on ${dateWords('long', changedAt.writtenAtMs, timeZone)}.`;
  return { says, run: changedAt.run, values: ofRun.length };
}

function isSameRun(a: RunName, b: RunName | undefined): boolean {
  return a.recordId === b?.recordId && a.number === b.number;
}

const MAX_SHOWN = 60;

/** Without the protocol of an address, and without the end of a long text. */
export function shortened(value: string): string {
  const text = value.replace(/^https?:\/\/(www\.)?/, '');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}\u2026` : text;
}

const FORMS = {
  /** `21 Nov 2026`. */
  day: { dateStyle: 'medium' },
  /** `21 Nov`. */
  short: { day: 'numeric', month: 'short' },
  /** `21 November 2026`. */
  long: { dateStyle: 'long' },
  /** `21 Nov 2026, 20:24`. */
  time: { dateStyle: 'medium', timeStyle: 'short' },
  /** `20:24`. */
  clock: { hour: '2-digit', minute: '2-digit' },
  /** `November`. */
  month: { month: 'long' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

export function dateWords(form: keyof typeof FORMS, atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { ...FORMS[form], timeZone }).format(atMs);
}

const DAY_MS = 86_400_000;

/** Counts calendar days of the time zone. */
export function agoWords(atMs: number, nowMs: number, timeZone: string): string {
  const [from, to] = [atMs, nowMs].map((ms) =>
    Date.parse(new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(ms)),
  );
  const days = ((to ?? 0) - (from ?? 0)) / DAY_MS;
  return days < 1 ? 'today' : `${plural(days, 'day')} ago`;
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

/** Reasons of the policy's rules against a lookup without a person's request. */
const EXCLUDING: ReadonlySet<string> = new Set(['rule-excludes', 'no-rule']);

export function isExcluded(standing: CardStanding): boolean {
  return standing.kind === 'ended' && EXCLUDING.has(standing.outcome.reason.code);
}

export const QUEUED: Said = {
  word: 'Queued',
  variant: 'info',
  why: 'It waits for its turn. A request on this card is served at once.',
};

export function said(standing: CardStanding, timeZone: string): Said {
  const { label: word, why } = standing;
  switch (standing.kind) {
    case 'under-way':
      return { word, variant: 'info', why };
    case 'waiting': {
      const { until, untilMs, afterMs } = standing;
      const time = (atMs: number) => `after ${dateWords('time', atMs, timeZone)}`;
      const earliest = afterMs === undefined ? '' : `, ${time(afterMs)}`;
      const end = until ? `It waits until ${until}${earliest}.` : `It continues ${time(untilMs)}.`;
      return { word, variant: 'warning', why: `${why} ${end}` };
    }
    case 'ended': {
      const { kind, status = kind } = standing.outcome;
      return { word, variant: VARIANTS[status] ?? 'default', why };
    }
    default:
      return { word, variant: 'default', why };
  }
}
