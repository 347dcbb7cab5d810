import { styleText } from 'node:util';
import { csvRecord, figure, printable, printableJson, type Wording, wordingText } from '#shared/kernel';
import type { Lookup } from '#shared/vendor';
import type { ExitCode } from './exit.ts';
import type { CliIo } from './terminal.ts';

/** Numbers are formatted on a screen and plain in CSV. */
type Cell = string | number | null | undefined;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Text that replaces an empty table on a screen. */
  readonly empty?: Wording;
}

/** Lines and tables for a person, from top to bottom. What a condition leaves out is not printed. */
export type Lines = readonly (Wording | Table | false | undefined)[];

/** The result of a command, as data. Only `printSheet` turns it into text, JSON or CSV. */
export interface Sheet {
  /** For `--json`. */
  readonly json?: unknown;
  readonly body?: Lines;
  /** For `--csv`, if it differs from the first table of the body. */
  readonly csv?: Table | string;
  /** Lines after the body. With `--csv` they go to standard error. */
  readonly notes?: Lines;
  readonly warnings?: Lines;
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
}

interface Screen extends Pick<CliIo, 'out' | 'err' | 'colours' | 'width'> {
  /** It is written to a file, so no cell is cut. */
  readonly isFile?: boolean;
}

export async function printSheet(
  io: Screen,
  { json, body = [], csv, notes = [], warnings = [], stream }: Sheet,
  options: OutputOptions & { readonly stack?: string | undefined },
): Promise<void> {
  const line = (text: Wording) => `${printable(wordingText(text, options.stack))}\n`;
  const shown = (lines: Lines) =>
    lines.flatMap((part) => {
      if (part === false || part === undefined) return [];
      if (!isTable(part)) return [line(part)];
      if (part.rows.length > 0) return [tableText(part, io)];
      return part.empty === undefined ? [] : [line(part.empty)];
    });
  if (stream) for await (const part of stream) io.out(part);
  else if (options.json) printJson(io, json);
  else if (options.csv) {
    const table = csv ?? body.find((part) => isTable(part));
    if (table) io.out(typeof table === 'string' ? table : csvText(table));
    shown(notes).forEach(io.err);
  } else shown([...body, ...notes]).forEach(io.out);
  shown(warnings).forEach(io.err);
}

/** @returns an ISO 8601 time. */
export function timeOf(ms: number): string;
export function timeOf(ms: number | undefined): string | undefined;
export function timeOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

export function printJson(io: Screen, value: unknown): void {
  io.out(`${printableJson(value)}\n`);
}

function isTable(part: Lines[number]): part is Table {
  return typeof part === 'object' && 'columns' in part;
}

function csvText({ columns, rows }: Table): string {
  return [columns, ...rows.map((row) => row.map((cell) => String(cell ?? '')))].map(csvRecord).join('');
}

/** The cells as text, with formatted numbers. */
export function tableRows({ rows }: Table): string[][] {
  return rows.map((row) => row.map((cell) => (typeof cell === 'number' ? figure(cell) : (cell ?? ''))));
}

/** The columns with numbers, which are aligned to the right. */
export function figureColumns({ columns, rows }: Table): number[] {
  return columns.flatMap((_, index) => (rows.some((row) => typeof row[index] === 'number') ? [index] : []));
}

export function tableOf<Name extends string>(
  columns: readonly Name[],
  records: readonly { readonly [name in Name]?: Cell }[],
): Table {
  return { columns, rows: records.map((record) => columns.map((name) => record[name])) };
}

/** Table of records with the chosen columns. CSV shows all columns. */
export function recordTable(
  records: readonly DataRecord[],
  chosen: readonly string[],
  { csv }: OutputOptions,
): Table {
  const fields = records.map((record) => new Map(fieldsOf(record)));
  const others = csv ? fields.flatMap((each) => [...each.keys()]) : [];
  const known = [...new Set([...chosen, ...others])].filter((name) => fields.some((each) => each.has(name)));
  const columns = known.length > 0 ? known : chosen;
  return { columns, rows: fields.map((record) => columns.map((column) => record.get(column))) };
}

export function fieldTable(record: DataRecord, chosen: readonly string[]): Table {
  const { columns, rows } = recordTable([record], chosen, {});
  return { columns: ['field', 'value'], rows: columns.map((column, index) => [column, rows[0]?.[index]]) };
}

export type DataRecord = Readonly<Record<string, unknown>>;

/**
 * The fields of a record by flat name. Names of nested objects are joined with dots, and list values with semicolons.
 * Lists of objects become JSON.
 */
function fieldsOf(record: DataRecord, prefix = ''): [name: string, text: string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return [];
    if (typeof value === 'string') return [[`${prefix}${name}`, value]];
    if (typeof value === 'object' && !Array.isArray(value))
      return fieldsOf({ ...value }, `${prefix}${name}.`);
    const isPlainList = Array.isArray(value) && value.every((item) => typeof item !== 'object');
    return [[`${prefix}${name}`, isPlainList ? value.join('; ') : JSON.stringify(value)]];
  });
}

/** Most useful columns of records. A column without a value is left out. */
export const CHOSEN_COLUMNS: Readonly<Record<Lookup['about'], readonly string[]>> = {
  person:
    'name title employerName employerDomain department seniority location city country jobStartDate email mobilePhone profileUrl'.split(
      ' ',
    ),
  company:
    'name domain industry employeeRange employeeCount revenueRange foundedYear headquarters.city headquarters.country raw.city raw.country phone website pageUrl funding.total funding.lastRound.type technology.tools contacts'.split(
      ' ',
    ),
};

/**
 * Maximum length of a cell on a screen. Longer cells are cut, so that each row fits one line. Files have the whole cells.
 */
const LONGEST_CELL = 60;
/**
 * Formats columns without lines, with a bold head and a final line break.
 * @param screen without the width of a terminal, rows are not cut
 */
export function tableText(
  table: Table,
  { colours, width, isFile }: Pick<Screen, 'colours' | 'width' | 'isFile'>,
): string {
  const head = table.columns;
  const right = figureColumns(table);
  const cells = tableRows(table).map((row) =>
    row.map((text: string): string => printable(text).replaceAll(/\s+/g, ' ').trim()),
  );
  const longest = isFile ? Number.POSITIVE_INFINITY : LONGEST_CELL;
  const widths = columnWidths([head, ...cells], { width, longest });
  const line = (row: readonly string[], paint = (text: string) => text) =>
    row
      .map((given, index) => {
        const text = cut(given, widths[index] ?? 0);
        const space = ' '.repeat(Math.max(0, (widths[index] ?? 0) - [...text].length));
        return right.includes(index) ? space + paint(text) : paint(text) + space;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const bold = (text: string) => (colours ? styleText('bold', text, { validateStream: false }) : text);
  return [line(head, bold), ...cells.map((row) => line(row)), ''].join('\n');
}

function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
}

const GAP = 2;
/** Minimum width of a cell. Narrower cells would be unreadable. */
const NARROWEST_CELL = 6;

/** Each column is as wide as its widest cell. On a narrow terminal, the widest columns are cut first. */
function columnWidths(
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY, longest }: { width: number | undefined; longest: number },
): number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, text] of row.entries())
      widths[index] = Math.min(longest, Math.max(widths[index] ?? 1, [...text].length));
  const total = () => widths.reduce((sum, each) => sum + each + GAP, -GAP);
  while (total() > width) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST_CELL) break;
    widths[widths.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}
