import { printable } from './text.ts';

/**
 * Formats one record by RFC 4180, with its line end (CRLF) and with quotes only if needed. A text that a spreadsheet
 * would read as a formula gets an apostrophe. Signed numbers and phone numbers are not formulas.
 */
export function csvRecord(fields: readonly string[]): string {
  return `${fields.map(safe).map(asText).map(quoted).join(',')}\r\n`;
}

function safe(field: string): string {
  return printable(field.replaceAll(/\r\n?/g, '\n'));
}

/** A possible formula, which an attacker may have entered in a form. A text without letters cannot call a function. */
const FORMULA = /^[=@\t\r\n]|^[+-].*[^\d\s().,/+-]/s;

function asText(field: string): string {
  return FORMULA.test(field) ? `'${field}` : field;
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
