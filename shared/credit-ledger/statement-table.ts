import { csvRecord } from '#shared/kernel';
import type { Booking, EntryPosition, Statement } from './statement.ts';
import type { Counted } from './statement-sums.ts';

type Cell = string | number | undefined;

export interface StatementTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

type Row = readonly [item: string, detail: string, count: Cell, credits: Cell];

/**
 * Builds the rows of a statement. The rows between the two balances sum up to the difference of the balances. The rows
 * below the closing balance do not count in it.
 */
export function statementTable(statement: Statement): StatementTable {
  const { balance, grants, adjustments, spent, expired, doubts, underWay } = statement;
  const rows: Row[] = [
    ...(balance ? [money('opening balance', '', balance.openingCredits)] : []),
    ...grants.map((grant) => booked('bought', grant, grant.expiresOn && `until ${grant.expiresOn}`)),
    ...adjustments.map((adjustment) => booked('adjusted', adjustment)),
    ...spent.byPurpose.map(({ purpose, ...sum }) => sums('spent', purpose, negative(sum))),
    ...(balance ? [money('closing balance', '', balance.closingCredits)] : []),
    sums('charges', 'in all', spent),
    sums('charges', 'of requests of an earlier month', spent.ofEarlierMonths),
    ...expired.map(({ day, unusedCredits }) => money('expired', `on ${day}, unused`, unusedCredits)),
    sums('in doubt', 'before', doubts.before),
    sums('in doubt', 'opened', doubts.opened),
    sums('in doubt', 'resolved as charged', doubts.charged),
    sums('in doubt', 'resolved as not charged', doubts.notCharged),
    sums('in doubt', 'at the end', doubts.after),
    sums('under way', 'at the end', underWay),
  ];
  return { columns: ['item', 'detail', 'count', 'credits'], rows };
}

/** The statement as a file, with the numbers and hashes of its first and last entry. */
export function statementCsv(statement: Statement): string {
  const { columns, rows } = statementTable(statement);
  const lines = [...rows, ...positionRows(statement)].map((row) => row.map((cell) => String(cell ?? '')));
  return [columns, ...lines].map(csvRecord).join('');
}

function positionRows({ first, last }: Statement): Row[] {
  const row = (item: string, position: EntryPosition | undefined): Row[] =>
    position ? [[item, `${position.seq} ${position.hash}`, undefined, undefined]] : [];
  return [...row('first entry', first), ...row('last entry', last)];
}

function money(item: string, detail: string, credits: number): Row {
  return [item, detail, undefined, credits];
}

function booked(item: string, { day, note, credits }: Booking, until?: string): Row {
  return money(item, [day, note, ...(until ? [until] : [])].join(', '), credits);
}

function sums(item: string, detail: string, { count, credits }: Counted): Row {
  return [item, detail, count, credits];
}

function negative({ count, credits }: Counted): Counted {
  return { count, credits: credits === 0 ? 0 : -credits };
}
