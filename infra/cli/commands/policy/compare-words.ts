import type { PolicyComparison, PropertyDifference } from '#shared/enrichment';
import { command, counted, figure, type Wording, wording, wordingText } from '#shared/kernel';
import { figureColumns, type Table, tableRows } from '../../terminal/sheet.ts';

/** A section of a comparison: a heading, sentences, and sometimes a table. */
export interface ComparisonSection {
  readonly heading: string;
  readonly lines: readonly Wording[];
  readonly table?: Table | undefined;
}

/** Version and source of each policy. */
export interface PolicyTitles {
  readonly before: string;
  readonly after: string;
}

/** Maximum number of rows in the terminal. `--json` lists all of them. */
const SHOWN_PROPERTIES = 20;

/** Sections of a comparison, for the terminal and for Markdown. */
export function comparisonSections(
  { writes, rules, nextCycle, lacking }: PolicyComparison,
  titles: PolicyTitles,
): readonly ComparisonSection[] {
  const ruled = rules.some(({ rule }) => rule !== undefined) ? [rulesSection(rules)] : [];
  return [writesSection(writes, titles), ...ruled, cycleSection(nextCycle, lacking)];
}

function rulesSection(rules: PolicyComparison['rules']): ComparisonSection {
  const rows = rules.map(({ objectType, rule, before, after }) => [
    `${objectType}: ${rule ?? 'every record, without rules'}`,
    before,
    after,
  ]);
  return {
    heading: 'Records by rule',
    lines: ['A record that is no longer admitted keeps its values.'],
    table: { columns: ['rule', 'before', 'after'], rows },
  };
}

function writesSection(
  writes: PolicyComparison['writes'],
  { before, after }: PolicyTitles,
): ComparisonSection {
  const { records, totals, apply, left } = writes;
  const { added, changed, lost, protectedBefore, protectedAfter, overPeople } = totals;
  const leftOut = leftWords(left);
  return {
    heading: `Policy ${after} compared with ${before}`,
    lines: [
      `Compared over ${counted(records, 'stored answer')}; no lookups were made, and nothing was written.`,
      `${added > 0 ? '+' : ''}${counted(added, 'value')} would be added, ${figure(changed)} would change, ${figure(lost)} would no longer be updated.`,
      `Values of people: ${figure(protectedAfter)} protected (now ${figure(protectedBefore)}), ${figure(overPeople)} replaced.`,
      ...(leftOut === '' ? [] : [`Left out: ${leftOut}.`]),
      wording`${counted(apply.values, 'value')} would be written to ${counted(apply.records, 'record')}, for 0 credits, by: ${command('policy apply')}`,
    ],
    table: tableOfProperties(writes.properties),
  };
}

const LEFT: Readonly<Record<string, string>> = {
  'never-answered': 'never answered',
  'too-old': 'with an answer that is too old, or gone',
  'other-record': 'whose identity changed since their answer',
  rejected: 'whose answer was about another person or company',
  forgotten: 'whose person is forgotten',
  gone: 'no longer in HubSpot',
  unreadable: 'that HubSpot does not return',
  'worked-on': 'being worked on',
  'asked-for': 'that a person requests in HubSpot',
};

/** `12 being worked on, 3 never answered`. */
export function leftWords(left: PolicyComparison['writes']['left']): string {
  const words = Object.entries(left).map(([reason, count]) => `${figure(count)} ${LEFT[reason] ?? reason}`);
  return words.join(', ');
}

const COLUMNS = [
  ['added', ({ added }: PropertyDifference) => added],
  ['changed', ({ changed }: PropertyDifference) => changed],
  ['lost', ({ lost }: PropertyDifference) => lost],
  ['protected', (one: PropertyDifference) => step(one.protectedBefore, one.protectedAfter)],
  ["replaces people's values", ({ overPeople }: PropertyDifference) => overPeople],
] as const;

function tableOfProperties(properties: PolicyComparison['writes']['properties']): Table | undefined {
  const shown = Object.entries(properties).slice(0, SHOWN_PROPERTIES);
  if (shown.length === 0) return undefined;
  const rows = shown.map(([name, one]) => [name, ...COLUMNS.map(([, cell]) => cell(one))]);
  const columns = ['property', ...COLUMNS.map(([name]) => name)];
  return { columns, rows };
}

function cycleSection(
  { before, after }: PolicyComparison['nextCycle'],
  lacking: PolicyComparison['lacking'],
): ComparisonSection {
  const more = after - before;
  return {
    heading: 'One refresh of all records',
    lines: [
      `It costs at most ${counted(after, 'credit')}, ${more === 0 ? 'the same as now' : `${signed(more)} compared with now`}.`,
      'Budgets and freshness decide how many days it takes.',
      ...lackingLines(lacking),
    ],
  };
}

/** Says which options the stored answers lack, and how a person buys them before the next refresh. */
export function lackingLines(lacking: PolicyComparison['lacking']): readonly Wording[] {
  return Object.entries(lacking).map(([option, records]) => {
    const objects = option === 'email' || option === 'phone' ? 'contacts' : 'companies';
    return wording`With ${option}: none of ${counted(records, 'record')} now, because their answers are stored. The next refresh asks for it. To ask under this policy now, with the price first: ${command(`backfill quote --objects ${objects}`)}`;
  });
}

function signed(number: number): string {
  return number > 0 ? `+${figure(number)}` : figure(number);
}

function step(before: number, after: number): string | number {
  return before === after ? before : `${figure(before)} → ${figure(after)}`;
}

/** A section for the screen. */
export function sectionBody(
  { heading, lines, table }: ComparisonSection,
  index: number,
): (Wording | Table)[] {
  const indented = lines.map((line) => wording`  ${line}`);
  return [...(index > 0 ? [''] : []), heading, ...indented, ...(table ? ['', table] : [])];
}

/** The sections as Markdown. */
export function markdownOf(parts: readonly ComparisonSection[], stack: string | undefined): string {
  return parts
    .map(({ heading, lines, table }) => {
      const list = lines.map((line) => `- ${wordingText(line, stack)}`).join('\n');
      return [`### ${heading}`, list, ...(table ? [markdownTable(table)] : [])].join('\n\n');
    })
    .join('\n\n');
}

function markdownTable(table: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  const right = figureColumns(table);
  const ruler = table.columns.map((_, index) => (right.includes(index) ? '-:' : '-'));
  return [table.columns, ruler, ...tableRows(table)].map(line).join('\n');
}
