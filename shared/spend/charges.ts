import type { LedgerEntry, LedgerStore } from '#shared/credit-ledger';
import { keyInPortal, shownKey, sourceOfAsker } from '#shared/crm';
import { csvRecord } from '#shared/kernel';
import type { Owners } from '#shared/store';
import { isCharge, outcomeOf } from './forecast.ts';
import type { PlacedRow, SpendRow } from './schemas.ts';
import { isSelected, type Selection, spansBefore } from './selection.ts';

/** One charge in the ledger, in whole credits. `atMs` is the time of booking. */
export type Charge = Pick<SpendRow, 'day' | 'operation' | 'purpose' | 'outcome' | 'credits'> &
  Pick<LedgerEntry, 'seq' | 'atMs' | 'record' | 'rule' | 'askedBy' | 'questionKey'>;

export interface ChargeQuery {
  /** Sums of all months that the selection touches. */
  readonly rows: readonly PlacedRow[];
  readonly selection: Selection;
  /** Key of a record, to list only its charges. */
  readonly record?: string | undefined;
  /** Lists only charges before this ledger entry. */
  readonly beforeSeq?: number | undefined;
  /** Maximum number of charges on the page. */
  readonly limit: number;
  /** Maximum number of entries that are read for the page. The default suits a page for a reader. */
  readonly maxRead?: number | undefined;
}

export interface ChargePage {
  /** Newest first. */
  readonly charges: readonly Charge[];
  /** `beforeSeq` of the next page, if there may be more charges. */
  readonly nextSeq?: number;
}

type Entries = Pick<LedgerStore, 'entries' | 'owners'>;

const MAX_READ = 1_000;

const CHUNK = 100;

/** Each read counts as at least this number of entries, so that many short spans cannot cause endless reads. */
const MIN_ENTRIES_A_READ = 20;

/**
 * Lists a page of the charges of a selection, newest first. Reads only the spans of the log that the sums name. So a
 * page whose reading ended early may be short or empty without being the last one.
 */
export async function listCharges(store: Entries, query: ChargeQuery): Promise<ChargePage> {
  const { rows, selection, record, limit, beforeSeq = Number.MAX_SAFE_INTEGER, maxRead = MAX_READ } = query;
  const { askedBy } = selection;
  const ofSums = { ...selection, askedBy: askedBy && sourceOfAsker(askedBy) };
  const selected = rows.filter((row) => isSelected(ofSums, row));
  const charges: Charge[] = [];
  let [read, nextSeq] = [0, beforeSeq];
  // Reads one charge more than the page holds, to find out whether a next page exists.
  while (charges.length <= limit && read < maxRead) {
    const [span] = spansBefore(selected, nextSeq);
    if (!span) return { charges };
    const [first, last] = span;
    const fromSeq = Math.max(first, last + 1 - Math.min(CHUNK, maxRead - read));
    const entries = await store.entries({ fromSeq, limit: last - fromSeq + 1 });
    read += Math.max(MIN_ENTRIES_A_READ, entries.length);
    const found = entries
      .flatMap((entry) => chargeOf(entry, store.owners))
      .filter((charge) => isSelected(selection, charge) && charge.record === (record ?? charge.record));
    charges.push(...found.toReversed());
    nextSeq = fromSeq;
  }
  const page = charges.slice(0, limit);
  if (charges.length > limit) return { charges: page, nextSeq: page.at(-1)?.seq ?? beforeSeq };
  return spansBefore(selected, nextSeq).length > 0 ? { charges, nextSeq } : { charges };
}

function chargeOf(entry: LedgerEntry, { portal }: Owners): Charge[] {
  const { seq, atMs, day, record: name, rule, askedBy, operation, purpose, questionKey } = entry;
  if (!isCharge(entry) || operation === undefined || purpose === undefined) return [];
  const record = name && (keyInPortal(portal, name) ?? name);
  const origin = { record, rule, askedBy, operation, purpose, questionKey };
  return [{ seq, atMs, day, ...origin, outcome: outcomeOf(entry), credits: entry.amountCredits }];
}

const COLUMNS = ['day', 'operation', 'purpose', 'outcome', 'credits', 'count', 'rule', 'askedBy'] as const;

/** Writes the rows with a charge under a header line. */
export function spendCsv(rows: readonly SpendRow[]): string {
  const charged = rows.filter(({ count }) => count > 0);
  return [COLUMNS, ...charged.map((row) => COLUMNS.map((column) => String(row[column] ?? '')))]
    .map(csvRecord)
    .join('');
}

const CHARGE_COLUMNS = [
  'time',
  'day',
  'record',
  'operation',
  'purpose',
  'outcome',
  'credits',
  'questionKey',
  'seq',
  'rule',
  'askedBy',
] as const;

/** Writes the charges under a header line. `time` is ISO 8601 in UTC. If charges are missing, the last line says so. */
export function chargesCsv({ charges, nextSeq }: ChargePage): string {
  const rows = charges.map((charge) => ({
    ...charge,
    time: new Date(charge.atMs).toISOString(),
    record: charge.record && shownKey(charge.record),
  }));
  const missing =
    nextSeq === undefined ? [] : [[`Not complete: charges before ledger entry ${nextSeq} are missing.`]];
  const cells = rows.map((row) => CHARGE_COLUMNS.map((column) => String(row[column] ?? '')));
  return [CHARGE_COLUMNS, ...cells, ...missing].map(csvRecord).join('');
}
