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
