import { isResolution, type LedgerEntry, type LedgerStore } from '#shared/credit-ledger';
import { isCharge, outcomeOf } from './projection.ts';
import type { PlacedRow, SpendRow } from './schemas.ts';
import { holdsUnnamed, isSelected, type Selection } from './selection.ts';
import { stretchesBefore } from './spans.ts';

/** One charge, as the ledger booked it. Credits in whole numbers; `atMs` is when it was booked. */
export interface Charge
  extends Pick<SpendRow, 'day' | 'operation' | 'purpose' | 'outcome' | 'credits'>,
    Pick<LedgerEntry, 'seq' | 'atMs' | 'record' | 'companies' | 'rule' | 'askedBy' | 'questionKey'> {
  /** It was in doubt, and was resolved as charged. The reason is a person's note, and so is not shown. */
  readonly isResolved: boolean;
}

export interface ChargeQuery {
  /** The month's sums in which the selection lies. */
  readonly rows: readonly PlacedRow[];
  readonly selection: Selection;
  /** Key of a record: only its charges. */
  readonly record?: string | undefined;
  /** Continues before this entry of the ledger. */
  readonly beforeSeq?: number | undefined;
  /** How many charges at most. */
  readonly limit: number;
}

export interface ChargePage {
  /** Newest first. */
  readonly charges: readonly Charge[];
  /** Where the next page begins, if there may be more: `beforeSeq` of the next query. */
  readonly nextSeq?: number;
}

export interface LedgerPlace {
  readonly store: Pick<LedgerStore, 'entries'>;
  readonly account: string;
}

/** Entries that are read for one page at most. */
const MAX_READ = 1_000;
const CHUNK = 100;
/** A request is counted as so many entries at least, so that many short stretches are no end of requests. */
const REQUEST = 20;

/**
 * The charges of a selection, newest first, a page at a time. Reads only the stretches of the log in which the sums say
 * that they lie, and of these no more than a thousand entries: a page may come out short, or empty, and not be the last.
 */
export async function listCharges(place: LedgerPlace, query: ChargeQuery): Promise<ChargePage> {
  const { rows, selection, limit, beforeSeq = Number.MAX_SAFE_INTEGER } = query;
  const selected = rows.filter((row) => isSelected(selection, row) || holdsUnnamed(row, selection));
  const charges: Charge[] = [];
  let [read, nextSeq] = [0, beforeSeq];
  // Reads one more than the page holds, to know whether there is a next page.
  while (charges.length <= limit && read < MAX_READ) {
    const [stretch] = stretchesBefore(selected, nextSeq);
    if (!stretch) return { charges };
    const [first, last] = stretch;
    const fromSeq = Math.max(first, last + 1 - Math.min(CHUNK, MAX_READ - read));
    const entries = await place.store.entries({
      account: place.account,
      fromSeq,
      limit: last - fromSeq + 1,
    });
    read += Math.max(REQUEST, entries.length);
    const found = entries.flatMap((entry) => chargeOf(entry)).filter((charge) => isWanted(charge, query));
    charges.push(...found.toReversed());
    nextSeq = fromSeq;
  }
  const page = charges.slice(0, limit);
  if (charges.length > limit) return { charges: page, nextSeq: page.at(-1)?.seq ?? beforeSeq };
  return stretchesBefore(selected, nextSeq).length > 0 ? { charges, nextSeq } : { charges };
}

/** Charges that are read at once for a list of many. */
const PART_CHARGES = 500;

/** The same, part by part up to the limit. @param mostParts bounds the reads where few entries are wanted. */
export async function listManyCharges(
  place: LedgerPlace,
  query: ChargeQuery,
  mostParts = Number.POSITIVE_INFINITY,
): Promise<ChargePage> {
  const charges: Charge[] = [];
  let nextSeq = query.beforeSeq;
  let parts = 0;
  do {
    const limit = Math.min(PART_CHARGES, query.limit - charges.length);
    const page = await listCharges(place, { ...query, beforeSeq: nextSeq, limit });
    charges.push(...page.charges);
    nextSeq = page.nextSeq;
    parts += 1;
  } while (nextSeq !== undefined && charges.length < query.limit && parts < mostParts);
  return { charges, ...(nextSeq !== undefined && { nextSeq }) };
}

function isWanted(charge: Charge, { selection, record }: ChargeQuery): boolean {
  return isSelected(selection, charge) && charge.record === (record ?? charge.record);
}

function chargeOf(entry: LedgerEntry): Charge[] {
  const { seq, atMs, day, record, companies, rule, askedBy, operation, purpose, questionKey } = entry;
  if (!isCharge(entry) || operation === undefined || purpose === undefined) return [];
  const asked = { record, companies, rule, askedBy, operation, purpose, questionKey };
  const charge = { seq, atMs, day, ...asked, outcome: outcomeOf(entry), credits: entry.amountCredits };
  return [{ ...charge, isResolved: isResolution(entry) }];
}
