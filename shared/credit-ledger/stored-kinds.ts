import { kind } from '#shared/store';
import { type LedgerEntry, ledgerEntrySchema } from './schemas.ts';

const KNOWN: ReadonlySet<string> = new Set(Object.keys(ledgerEntrySchema.shape));

/**
 * Moves fields of a later version into `unknown`, so that the schema keeps them. The hash includes them.
 * @param stored a stored or exported entry, or any other value.
 */
export function withUnknown(stored: unknown): unknown {
  const unknown = Object.entries(Object(stored)).filter(([name]) => !KNOWN.has(name));
  return unknown.length === 0 ? stored : { ...Object(stored), unknown: Object.fromEntries(unknown) };
}

/** Returns the fields of an entry, for the store, the export and the hash. */
export function entryFields({ unknown, ...known }: Partial<LedgerEntry>): Readonly<Record<string, unknown>> {
  return { ...unknown, ...known };
}

/** Fields that only a later version knows belong to the entry, because its hash includes them. */
const entrySchema = {
  /** Lists the fields, for checks. */
  listed: ledgerEntrySchema,
  parse: (stored: unknown): LedgerEntry => ledgerEntrySchema.parse(withUnknown(stored)),
};

const common = {
  scope: 'buyer',
  table: 'ledger',
  schema: entrySchema,
  expiry: { kept: 'no expiry' },
  holdsPeople: 'nothing: it holds ids, but no value of a person',
  bound: {
    open: 'MAX_OPEN; a reservation beyond it is refused.',
    unknown: 'Fields that a later version wrote into one entry.',
    'totals.expiring': 'Grants that a person booked; each goes after its last day.',
    'totals.leads.before': 'LEAD_DAYS; the oldest day is dropped.',
    'totals.people.credits': 'MAX_PEOPLE; further users of a day share one entry.',
    'totals.periods': 'Today, this month, and those of the open reservations; others are dropped.',
  },
} as const;

export const ledgerEntryKind = kind({
  ...common,
  name: 'ledger entry: operation, purpose, credits, keyed hash of the question, ids of record and asker',
  prefix: 'entry',
  /** @param id the number of the entry, and the vendor's mark. */
  key: (id: number | `${number}${string}`) => String(id),
});

export const ledgerHeadKind = kind({
  ...common,
  name: 'ledger head: the newest entry',
  prefix: 'head',
  key: (mark: string) => `ledger${mark}`,
});
