export type Row = Readonly<Record<string, string>>;

/** RFC 4180; no field of the ledger contains a quotation mark or a line break. */
export function readCsv(text: string): Row[] {
  const [header = '', ...lines] = text.split('\r\n').filter((line) => line !== '');
  const names = header.split(',');
  return lines.map((line) => {
    const fields = line.split(',').map((field) => field.replace(/^"(.*)"$/, '$1'));
    return Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']));
  });
}
