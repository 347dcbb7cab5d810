import { csvRecord, figure, printable, printableJson, type Wording, wordingText } from '#shared/kernel';
import type { CliIo } from './cli-io.ts';
import type { ExitCode } from './exit.ts';
import { allColumns, chosenColumns, type DataRecord, fieldsOf } from './record-fields.ts';
import { tableText } from './table.ts';

/** Numbers are formatted on a screen and plain in CSV. */
export type Cell = string | number | null | undefined;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Text that replaces an empty table on a screen. */
  readonly empty?: Wording;
}

/** The result of a command, as data. Only `printSheet` turns it into text, JSON or CSV. */
export interface Sheet {
  /** For `--json`. */
  readonly json?: unknown;
  /** For a person: lines and tables from top to bottom. */
  readonly body?: readonly (Wording | Table)[];
  /** For `--csv`, if it differs from the first table of the body. */
  readonly csv?: Table | string;
  /** Lines after the body. With `--csv` they go to standard error. */
  readonly notes?: readonly Wording[];
  /** Lines for standard error, with every output format. */
  readonly warnings?: readonly Wording[];
  /** Output that is too long for memory. It is printed in parts, and replaces all fields above. */
  readonly stream?: AsyncIterable<string>;
  /** Keeps the connection open after the sheet is printed, until this promise resolves. */
  readonly until?: () => Promise<void>;
  /** `EXIT.ok` if absent. */
  readonly exit?: ExitCode | undefined;
}

export interface OutputOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly wide?: boolean;
}

type Screen = Pick<CliIo, 'out' | 'err' | 'colours' | 'width'>;

export async function printSheet(
  io: Screen,
  { json, body = [], csv, notes = [], warnings = [], stream }: Sheet,
  options: OutputOptions & { readonly stack?: string | undefined },
): Promise<void> {
  const line = (text: Wording) => `${printable(wordingText(text, options.stack))}\n`;
  const say = (text: Wording) => io.err(line(text));
  if (stream) for await (const part of stream) io.out(part);
  else if (options.json) printJson(io, json);
  else if (options.csv) {
    const table = csv ?? body.find((part) => isTable(part));
    if (table !== undefined) io.out(typeof table === 'string' ? table : csvText(table));
    notes.forEach(say);
  } else
    for (const part of [...body, ...notes]) io.out(isTable(part) ? screenText(io, part, line) : line(part));
  warnings.forEach(say);
}

export function printJson(io: Screen, value: unknown): void {
  io.out(`${printableJson(value)}\n`);
}

function isTable(part: Wording | Table): part is Table {
  return typeof part === 'object' && 'columns' in part;
}

function csvText({ columns, rows }: Table): string {
  return [columns, ...rows.map((row) => row.map((cell) => String(cell ?? '')))].map(csvRecord).join('');
}

function screenText({ colours, width }: Screen, table: Table, line: (text: Wording) => string): string {
  if (table.rows.length === 0) return table.empty === undefined ? '' : line(table.empty);
  return tableText({
    head: table.columns,
    rows: tableRows(table),
    right: figureColumns(table),
    colours,
    width,
  });
}

/** The cells, formatted for a person. */
export function tableRows({ rows }: Table): string[][] {
  return rows.map((row) => row.map((cell) => (typeof cell === 'number' ? figure(cell) : (cell ?? ''))));
}

/** Indexes of the columns that contain numbers. */
export function figureColumns({ columns, rows }: Table): number[] {
  return columns.flatMap((_, index) => (rows.some((row) => typeof row[index] === 'number') ? [index] : []));
}

/** Table of the named fields of each object. */
export function tableOf<Name extends string>(
  columns: readonly Name[],
  records: readonly { readonly [name in Name]?: Cell }[],
): Table {
  return { columns, rows: records.map((record) => columns.map((name) => record[name])) };
}

/** Table of records with the chosen columns. `--wide` and CSV show all columns. */
export function recordTable(
  records: readonly DataRecord[],
  chosen: readonly string[],
  { wide, csv }: OutputOptions,
): Table {
  const fields = records.map(fieldsOf);
  const known = wide || csv ? allColumns(fields, chosen) : chosenColumns(fields, chosen);
  const columns = known.length > 0 ? known : chosen;
  return { columns, rows: fields.map((record) => columns.map((column) => record.get(column))) };
}

/** Table of one record, one field a line. */
export function fieldTable(record: DataRecord, chosen: readonly string[], options: OutputOptions): Table {
  const { columns, rows } = recordTable([record], chosen, { ...options, csv: false });
  return { columns: ['field', 'value'], rows: columns.map((column, index) => [column, rows[0]?.[index]]) };
}
