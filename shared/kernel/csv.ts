/** One record as RFC 4180, with its line end (CRLF): quotes only where they are needed. */
export function csvRecord(fields: readonly string[]): string {
  return `${fields.map(quoted).join(',')}\r\n`;
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
