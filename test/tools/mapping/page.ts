import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '../../../shared/field-policy/MAPPING.md');
const [BEGIN, END] = ['<!-- coverage begins -->', '<!-- coverage ends -->'];

/** What the mapping page says between its two marks. */
export function tablesInPage(): string {
  return parts().tables;
}

export function writeTables(tables: string): void {
  const { before, after } = parts();
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${tables}\n\n${END}${after}`);
}

function parts() {
  const text = readFileSync(PAGE, 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  const [tables = '', after] = rest.split(END);
  if (after === undefined) throw new Error(`The mapping page lacks its marks ${BEGIN} and ${END}.`);
  return { before, tables: tables.trim(), after };
}
