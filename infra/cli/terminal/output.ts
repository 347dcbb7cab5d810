import { type Command, Option } from 'commander';
import { csvRecord } from '#shared/kernel';
import type { CliIo } from './cli-io.ts';
import { allColumns, chosenColumns, type DataRecord, fieldsOf } from './record-fields.ts';
import { tableText } from './table.ts';

export interface OutputOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly wide?: boolean;
}

export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns of numbers, by index. */
  readonly right?: readonly number[];
}

export function withJson(command: Command): Command {
  return command.addOption(new Option('--json', 'print one JSON document').conflicts('csv'));
}

export function withCsv(command: Command): Command {
  return withJson(command).addOption(new Option('--csv', 'print CSV with every field').conflicts('json'));
}

export function printJson(io: CliIo, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`);
}

/** A sheet as the operator wants it: CSV or a table. */
export function printSheet(io: CliIo, sheet: Sheet, { csv }: OutputOptions): void {
  const { columns, rows, right = [] } = sheet;
  if (csv) io.out([columns, ...rows].map(csvRecord).join(''));
  else if (rows.length > 0)
    io.out(tableText({ head: columns, rows, right, colours: io.colours, width: io.width }));
}

/** Records under each other: chosen columns as a table, all of them with `--wide` and in CSV. */
export function printRecords(
  io: CliIo,
  { records, chosen }: { records: readonly DataRecord[]; chosen: readonly string[] },
  options: OutputOptions,
): void {
  const fields = records.map(fieldsOf);
  const known = options.wide || options.csv ? allColumns(fields, chosen) : chosenColumns(fields, chosen);
  const columns = known.length > 0 ? known : chosen;
  const rows = fields.map((record) => columns.map((column) => record.get(column) ?? ''));
  printSheet(io, { columns, rows }, options);
}

/** One record: a line a field; CSV has it as a row. */
export function printRecord(
  io: CliIo,
  { record, chosen }: { record: DataRecord; chosen: readonly string[] },
  options: OutputOptions,
): void {
  if (options.csv) {
    printRecords(io, { records: [record], chosen }, options);
    return;
  }
  const fields = fieldsOf(record);
  const columns = options.wide ? allColumns([fields], chosen) : chosenColumns([fields], chosen);
  const rows = columns.map((column) => [column, fields.get(column) ?? '']);
  printSheet(io, { columns: ['field', 'value'], rows }, options);
}
