import { readFile } from 'node:fs/promises';
import type { ObjectType } from '#shared/crm';
import { counted } from '#shared/kernel';
import { type CsvRow, headingKey, readCsv } from '#shared/kernel/adapters';
import type { Connection } from '../../connection/connection.ts';
import { CliError } from '../../terminal/exit.ts';
import { nameRecord } from '../records/find-record.ts';

/** Headings of the column with the record ids, as HubSpot and people write them. */
const ID_HEADINGS: ReadonlySet<string> = new Set([
  ...['recordid', 'hsobjectid', 'objectid', 'id', 'vid', 'recordurl', 'recordlink', 'hubspotid'],
  ...['contactid', 'contactids', 'contactvid', 'recordidcontact', 'contactrecordid'],
  ...['companyid', 'companyids', 'recordidcompany', 'companyrecordid'],
]);

/** Why a row has no id of a record to look up. */
const ROW_FAULTS = {
  empty: 'the id is empty',
  shortened: 'Excel shortened the id: format the column as a number without decimals, and save again',
  'not-an-id': 'the text is no record id',
  'other-type': 'the address is of another type of record',
  'other-account': 'the address is of another HubSpot account',
} as const;

type RowFault = keyof typeof ROW_FAULTS;

export interface IdsOfFile {
  /** Each id once, in ascending order. */
  readonly ids: readonly string[];
  readonly rows: number;
  readonly withoutId: readonly { readonly line: number; readonly fault: RowFault }[];
}

/**
 * Reads the ids of the records in a CSV file. The column is found by its heading; without a known heading it is the
 * first one.
 * @throws CliError if the file cannot be read, is damaged, or has no ids.
 */
export async function readIdsFile(
  connection: Pick<Connection, 'services'>,
  { path, objectType }: { readonly path: string; readonly objectType: ObjectType },
): Promise<IdsOfFile> {
  const bytes = await readFile(path).catch(() => {
    throw new CliError(`The file ${path} cannot be read.`, { code: 'file-unreadable' });
  });
  const file = readCsv(bytes);
  if (file.kind === 'damaged')
    throw new CliError(
      `Line ${file.line} of ${path}: a quote is never closed, or is within a value. Put the value in quotes, and double each quote in it.`,
      { code: 'file-damaged', params: { line: file.line } },
    );
  const { column, rows } = idColumn(file.rows);
  const read = await Promise.all(
    rows.map(async ({ line, fields }) => ({
      line,
      ...(await idIn(connection, { text: fields[column] ?? '', objectType })),
    })),
  );
  const ids = [...new Set(read.flatMap(({ id }) => id ?? []))];
  if (ids.length === 0)
    throw new CliError(
      `The file ${path} has no record ids: name the column "Record ID", or make it the first one.`,
      { code: 'no-ids' },
    );
  return {
    ids: ids.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)),
    rows: rows.length,
    withoutId: read.flatMap(({ line, fault }) => (fault === undefined ? [] : [{ line, fault }])),
  };
}

const MOST_LINES_NAMED = 10;

/** The rows without an id, for a question of consent. */
export function rowFaultWords({ rows, withoutId }: IdsOfFile): string {
  const kinds = [...Map.groupBy(withoutId, ({ fault }) => fault)].map(([fault, those]) => {
    const lines = those.slice(0, MOST_LINES_NAMED).map(({ line }) => line);
    const more = those.length - lines.length;
    const named = `line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return `${named} (${ROW_FAULTS[fault]})`;
  });
  return `${withoutId.length} of ${counted(rows, 'row')} will be left out: ${kinds.join('; ')}`;
}

/** The first row is a heading unless its first field is an id. */
function idColumn(rows: readonly CsvRow[]): { readonly column: number; readonly rows: readonly CsvRow[] } {
  const fields = rows[0]?.fields ?? [];
  const named = fields.findIndex((field) => ID_HEADINGS.has(headingKey(field)));
  if (named >= 0) return { column: named, rows: rows.slice(1) };
  const hasHeading = !/\d/.test(fields[0] ?? '');
  return { column: 0, rows: hasHeading ? rows.slice(1) : rows };
}

async function idIn(
  connection: Pick<Connection, 'services'>,
  { text, objectType }: { readonly text: string; readonly objectType: ObjectType },
): Promise<{ readonly id?: string; readonly fault?: RowFault }> {
  if (text === '') return { fault: 'empty' };
  const number = text.replace(/^'/, '').replace(/\.0+$/, '');
  const id = GROUPED.test(number) ? number.replace(/\D/g, '') : number;
  if (/^\d{1,20}$/.test(id)) return { id };
  if (/^\d+([.,]\d+)?e\+?\d+$/i.test(text)) return { fault: 'shortened' };
  try {
    const named = await nameRecord(connection, text);
    if (!('id' in named)) return { fault: 'not-an-id' };
    return named.objectType === objectType ? { id: named.id } : { fault: 'other-type' };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { fault: error.code === 'other-account' ? 'other-account' : 'not-an-id' };
  }
}

/** A number with separators of thousands. */
const GROUPED = /^\d{1,3}(?:([,.'\u2019 \u00a0\u202f])\d{3})(?:\1\d{3})+$/;
