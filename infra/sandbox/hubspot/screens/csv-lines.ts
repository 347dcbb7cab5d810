/** A record of a CSV file. `number` is the number of its first line in the file, from 1. */
export interface CsvLine {
  readonly number: number;
  readonly fields: readonly string[];
}

/** Parses CSV by RFC 4180, with commas. Empty lines are left out. Returns `undefined` if a quote is never closed. */
export function csvLines(text: string): readonly CsvLine[] | undefined {
  const lines: CsvLine[] = [];
  let [fields, number, next]: [string[], number, number] = [[], 1, 1];
  // A field, quoted or bare, and the text that ends it.
  const pattern = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  while (pattern.lastIndex <= text.length) {
    const [whole, quoted, bare = '', end] = pattern.exec(text) ?? [];
    if (whole === undefined || end === undefined) return undefined;
    fields.push(quoted?.replaceAll('""', '"') ?? bare.trim());
    next += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === ',') continue;
    if (fields.some((field) => field !== '')) lines.push({ number, fields });
    [fields, number] = [[], next];
    if (end === '') break;
  }
  return lines;
}
