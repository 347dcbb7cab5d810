import { askerWords, recordKey } from '#shared/crm';
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
import type { Connection } from '../../connection/connection.ts';
import type { Sheet, Table } from '../../terminal/sheet.ts';
import { findRecord } from '../records/find-record.ts';

export interface ChargesQuery {
  readonly selection: Selection;
  /** The record as the operator typed it. */
  readonly record: string | undefined;
  readonly limit: number;
}

/** Lists the charges of a selection, newest first. */
export async function chargesSheet(connection: Connection, asked: ChargesQuery): Promise<Sheet> {
  const { selection } = asked;
  const page = await read(connection, asked);
  const { charges, nextSeq } = page;
  const isWhole = nextSeq === undefined;
  const newest =
    charges.length === 1
      ? 'This is the newest charge'
      : `These are the newest ${counted(charges.length, 'charge')}`;
  return {
    json: { selection, charges, isWhole },
    body: [tableOfCharges(charges, connection.policy.timeZone)],
    csv: chargesCsv(page),
    warnings: [
      ...(isWhole ? [] : [`${newest}; there are more, see --limit.`]),
      ...(isWhole && charges.length === 0 ? [noCharge({ selection, record: asked.record })] : []),
    ],
  };
}

async function read(connection: Connection, { selection, record: words, limit }: ChargesQuery) {
  const { spendBook, ledgerStore } = connection.services;
  const record = words === undefined ? undefined : recordKey(await findRecord(connection, words));
  const { rows } = await spendBook.read({ months: monthsOf(selection) });
  return listManyCharges(ledgerStore, { rows, selection, record, limit });
}

function tableOfCharges(charges: readonly Charge[], timeZone: string): Table {
  const rows = charges.map(({ atMs, record, operation, purpose, askedBy, outcome, credits }) => [
    instant(atMs, timeZone),
    record ?? '',
    ...[
      label(operation),
      label(purpose),
      askedBy === undefined ? '' : askerWords(askedBy),
      label(outcome),
      credits,
    ],
  ]);
  return {
    columns: ['booked at', 'record', 'question', 'asked for', 'asked by', 'outcome', 'credits'],
    rows,
  };
}
