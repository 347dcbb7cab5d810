import { CsvError, parse } from 'csv-parse/sync';

/** A row of a CSV file. `line` is the number of its first line in the file, from 1. */
export interface CsvRow {
  readonly line: number;
  /** Trimmed. A text that Excel protects from being read as a number, such as `="123"`, is bare. */
  readonly fields: readonly string[];
}

export type CsvFile =
  | { readonly kind: 'rows'; readonly rows: readonly CsvRow[] }
  /** A quote is never closed, or is within a value. `line` is where the row begins. */
  | { readonly kind: 'damaged'; readonly line: number };

/**
 * Reads a CSV file as Excel, HubSpot and other programs write it: UTF-8, UTF-16 or the Western code page of Windows,
 * with commas, semicolons or tabs, and any line ends. Empty rows are left out.
 */
export function readCsv(file: Uint8Array): CsvFile {
  const [, separatorLine = '', named, text = ''] =
    /^(sep=(.)\n)?(.*)$/is.exec(decode(file).replace(/\r\n?/g, '\n')) ?? [];
  const rows: CsvRow[] = [];
  let end = separatorLine === '' ? 0 : 1;
  try {
    parse(text.replace(TEXT_FORMULA, '$1"$2"'), {
      delimiter: named ?? delimiterOf(text),
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (fields: string[], { lines }) => {
        end = lines + (separatorLine === '' ? 0 : 1);
        const line = end - fields.join('').split('\n').length + 1;
        if (fields.some((field) => field !== '')) rows.push({ line, fields: fields.map(bare) });
      },
    });
  } catch (error) {
    if (error instanceof CsvError) return { kind: 'damaged', line: end + 1 };
    throw error;
  }
  return { kind: 'rows', rows };
}

/** Some programs write a text as a formula, so that Excel does not take it for a number: `="0123"`. */
const TEXT_FORMULA = /(^|[,;\t\n])="([^"\n]*)"(?=[,;\t\n]|$)/g;

/** The form in which headings are compared: `First Name`, `first_name` and `firstname` are equal. */
export function headingKey(heading: string): string {
  return heading
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Windows writes UTF-16 with a mark at the start, and "CSV" without "UTF-8" in its Western code page. */
function decode(file: Uint8Array): string {
  const [first, second] = file;
  if ((first === 0xff && second === 0xfe) || second === 0) return new TextDecoder('utf-16le').decode(file);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(file);
  const utf8 = new TextDecoder().decode(file);
  return utf8.includes('\u{fffd}') ? new TextDecoder('windows-1252').decode(file) : utf8;
}

/** The separator that is most frequent outside quotes in the first row with a value. */
function delimiterOf(text: string): string {
  const [header = ''] = /(?:"[^"]*"|[^"\r\n])+/.exec(text) ?? [];
  const outside = header.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: outside.split(sign).length }));
  const best = counts.reduce((most, next) => (next.count > most.count ? next : most));
  return best.sign;
}

function bare(field: string): string {
  return (/^="(.*)"$/.exec(field)?.[1] ?? field).trim();
}
