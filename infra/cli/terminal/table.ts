import { styleText } from 'node:util';
import CliTable from 'cli-table3';
import { printable } from '#shared/kernel';

export interface TableText {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Indexes of the columns that contain numbers. */
  readonly right?: readonly number[];
  readonly colours: boolean;
  /** Width of the terminal. Without it, rows are not cut. */
  readonly width?: number | undefined;
}

/**
 * Maximum length of a cell. Longer cells are cut, so that each row fits one line. JSON and CSV have the whole cells.
 */
const LONGEST_CELL = 60;
const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
} as const;

/** Formats columns without lines, with a bold head and a final line break. */
export function tableText({ head, rows, right = [], colours, width }: TableText): string {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = columnWidths([head, ...cells], width);
  const table = new CliTable({
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: head.map((_, index) => (right.includes(index) ? 'right' : 'left')),
    head: head.map((name, index) => bold(cut(name, widths[index]), colours)),
  });
  table.push(...cells.map((row) => row.map((text, index) => cut(text, widths[index]))));
  const lines = table.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function bold(text: string, colours: boolean): string {
  return colours ? styleText('bold', text, { validateStream: false }) : text;
}

function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim();
}

function cut(text: string, most = LONGEST_CELL): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
}

const GAP = 2;
/** Minimum width of a cell. Narrower cells would be unreadable. */
const NARROWEST_CELL = 6;

/** Each column is as wide as its widest cell. On a narrow terminal, the widest columns are cut first. */
function columnWidths(rows: readonly (readonly string[])[], width = Number.POSITIVE_INFINITY): number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, text] of row.entries())
      widths[index] = Math.min(LONGEST_CELL, Math.max(widths[index] ?? 1, [...text].length));
  const total = () => widths.reduce((sum, each) => sum + each + GAP, -GAP);
  while (total() > width) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST_CELL) break;
    widths[widths.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}
