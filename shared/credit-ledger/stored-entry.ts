import { type LedgerEntry, ledgerEntrySchema } from './schemas.ts';

const KNOWN: ReadonlySet<string> = new Set(Object.keys(ledgerEntrySchema.shape));

/**
 * Puts the fields that only a later version knows into `unknown`, for the schema to parse: the hash is over them, too.
 * @param stored an entry as it is stored or exported, or anything else.
 */
export function withUnknown(stored: unknown): unknown {
  const unknown = Object.entries(Object(stored)).filter(([name]) => !KNOWN.has(name));
  return unknown.length === 0 ? stored : { ...Object(stored), unknown: Object.fromEntries(unknown) };
}

/** The fields of an entry as they are stored, exported and hashed. */
export function entryFields({ unknown, ...known }: Partial<LedgerEntry>): Readonly<Record<string, unknown>> {
  return { ...unknown, ...known };
}
