import { styleText } from 'node:util';
import CliTable from 'cli-table3';

export interface TableText {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns of numbers, by index. */
  readonly right?: readonly number[];
  readonly colours: boolean;
}

/** Longer cells are cut, so that a row stays a row; JSON and CSV have them whole. */
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

/** Columns without lines, a bold head, ended by a line break. */
export function tableText({ head, rows, right = [], colours }: TableText): string {
  const table = new CliTable({
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: head.map((_, index) => (right.includes(index) ? 'right' : 'left')),
    head: head.map((name) => bold(name, colours)),
  });
  table.push(...rows.map((cells) => cells.map(cellText)));
  const lines = table.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function bold(text: string, colours: boolean): string {
  return colours ? styleText('bold', text, { validateStream: false }) : text;
}

/** In one line, and without control characters: what the data service sends does not steer the terminal. */
function cellText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const letters = [...line];
  return letters.length > LONGEST_CELL ? `${letters.slice(0, LONGEST_CELL - 1).join('')}…` : line;
}
