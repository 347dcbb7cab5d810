/**
 * One record as RFC 4180, with its line end (CRLF): quotes only where they are needed. What a spreadsheet would take for
 * a formula gets an apostrophe before it; signed numbers and phone numbers are none.
 */
export function csvRecord(fields: readonly string[]): string {
  return `${fields.map(asText).map(quoted).join(',')}\r\n`;
}

/** It may have been typed into a form. Without letters nothing can be called or looked up. */
const FORMULA = /^[=@\t\r\n]|^[+-].*[^\d\s().,/+-]/s;

function asText(field: string): string {
  return FORMULA.test(field) ? `'${field}` : field;
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
