import { recordKey } from '#shared/crm';
import { counted, instant } from '#shared/kernel';
import {
  type Charge,
  chargesCsv,
  label,
  listManyCharges,
  monthsOf,
  noCharge,
  type Selection,
} from '#shared/spend';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { type OutputOptions, printJson, printSheet } from '../../terminal/output.ts';
import { findRecord } from '../records/find-record.ts';

export interface ChargesAsked {
  readonly selection: Selection;
  /** As the operator named it. */
  readonly record: string | undefined;
  readonly limit: number;
}

/** The charges of a selection, newest first, in parts that the store gives. */
export async function printCharges(
  { io }: Cli,
  connection: Connection,
  { asked, options }: { readonly asked: ChargesAsked; readonly options: OutputOptions },
): Promise<void> {
  const page = await read(connection, asked);
  const { charges, nextSeq } = page;
  const isWhole = nextSeq === undefined;
  if (options.json) return printJson(io, { selection: asked.selection, charges, isWhole });
  if (options.csv) io.out(chargesCsv(page));
  else printSheet(io, sheetOf(charges, connection.policy.timeZone), {});
  if (!isWhole)
    io.err(
      `${charges.length === 1 ? 'This is the newest charge' : `These are the newest ${counted(charges.length, 'charge')}`}; there are more, see --limit.\n`,
    );
  else if (charges.length === 0)
    io.err(`${noCharge({ selection: asked.selection, record: asked.record })}\n`);
}

async function read(connection: Connection, { selection, record: words, limit }: ChargesAsked) {
  const { spendBook, ledgerStore: store, ledger } = connection.services;
  const record = words === undefined ? undefined : recordKey(await findRecord(connection, words));
  const { rows } = await spendBook.read({ months: monthsOf(selection) });
  return listManyCharges({ store, account: ledger.account }, { rows, selection, record, limit });
}

function sheetOf(charges: readonly Charge[], timeZone: string) {
  const rows = charges.map(({ atMs, record, companies, operation, purpose, outcome, credits }) => [
    instant(atMs, timeZone),
    record ?? (companies === undefined ? '' : `${companies} companies`),
    label(operation),
    label(purpose),
    label(outcome),
    String(credits),
  ]);
  return {
    columns: ['booked at', 'record', 'question', 'asked for', 'outcome', 'credits'],
    rows,
    right: [5],
  };
}
