import { existsSync } from 'node:fs';
import { Option } from 'commander';
import type { BudgetRefusal } from '#shared/credit-ledger';
import { OBJECT_TYPES, type ObjectType, PURPOSES } from '#shared/crm';
import {
  type AppliedReport,
  applyPolicy,
  archivedPolicyKind,
  beginApply,
  comparePolicies,
  endApply,
  findApply,
  findPolicy,
  type PolicyComparison,
  type PropertyDifference,
} from '#shared/extensions/policy-change';
import { type Policy, WRITE_MODES, type WriteMode } from '#shared/field-policy';
import { command, counted, figure, instant, type Wording, wording, wordingText } from '#shared/kernel';
import { budgetLabel } from '#shared/spend';
import { runChecks } from '../../doctor/check.ts';
import { EMPLOYER_GROUP, POLICY_CHECKS, privacyRules, rulesOfWhom } from '../../doctor/policy-checks.ts';
import { localPolicy } from '../../local/policy.ts';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT } from '../terminal/exit.ts';
import { text } from '../terminal/refusals.ts';
import { figureColumns, type Lines, type Sheet, type Table, tableRows } from '../terminal/sheet.ts';
import { checkLines } from './doctor.ts';
import { enrichmentServices } from './enrich.ts';

export function addPolicy(program: SheetCommand): void {
  const policy = program.command('policy').description('check, compare and apply the policy');
  policy
    .command('check')
    .description('check the policy against the HubSpot account; writes and spends nothing')
    .example('--policy my-policy.ts')
    .sheet(check);
  const about = 'a file, or the version or hash of an earlier policy, instead of the one in force';
  policy
    .command('compare <new>')
    .description('compare another policy over all stored answers; writes and spends nothing')
    .option('--against <policy>', about, text)
    .addOption(new Option('--markdown', 'print Markdown, such as for a pull request').conflicts('json'))
    .example('wider-policy.ts')
    .sheet(compare);
  policy
    .command('apply')
    .description('apply the present policy to all stored answers, for 0 credits; can be undone')
    .yes('agree beforehand')
    .example('--stack crm-enrichment')
    .sheet(apply);
}

async function check(run: CommandRun): Promise<Sheet> {
  const connection = await run.connect();
  const { policy } = connection;
  const ofTypes = OBJECT_TYPES.flatMap((type) => [
    ...[...POLICY_CHECKS, rulesOfWhom].map((row) => row(type)),
    ...privacyRules(connection, type),
  ]);
  const checks = await runChecks([EMPLOYER_GROUP, ...ofTypes], connection);
  const fields = Object.fromEntries(OBJECT_TYPES.map((type) => [type, modesOf(policy, type)]));
  const { version, mode, budgets } = policy;
  const hasFailed = checks.some(({ verdict }) => verdict === 'fail');
  const over = { before: policy, after: policy, signal: run.signal };
  const onProgress = run.progress({ noun: 'records' });
  // The records whose stored answer lacks an option of the policy.
  const lacking = hasFailed
    ? {}
    : (await comparePolicies(await enrichmentServices(connection), { ...over, onProgress })).lacking;
  const usedUp = await usedUpBudget(connection, policy);
  return {
    json: { version, mode, fields, budgets, checks, lacking, ...(usedUp && { usedUp }) },
    body: [
      ...headOf(policy),
      usedUp && usedUpLine(usedUp, policy.timeZone),
      ...checks.map(checkLines),
      ...lackingLines(lacking),
    ],
    exit: hasFailed ? EXIT.failed : EXIT.ok,
  };
}

const IN_SHADOW = wording`In shadow mode, a value is written to HubSpot only after a person accepts it. To see the proposals: ${command('review list')}`;

function modesOf({ fields }: Policy, objectType: ObjectType): Partial<Record<WriteMode, number>> {
  const rules = new Map(fields[objectType].map((rule) => [rule.property, rule.write]));
  const modes = WRITE_MODES.map((mode) => [mode, [...rules.values()].filter((one) => one === mode).length]);
  return Object.fromEntries(modes.filter(([, count]) => count !== 0));
}

function headOf(policy: Policy): Lines {
  const { budgets, version, timeZone } = policy;
  const fields = OBJECT_TYPES.map((type) => {
    const modes = Object.entries(modesOf(policy, type)).map(([mode, count]) => `${count} ${mode}`);
    return `${type}: ${modes.join(', ')}`;
  });
  const limits = [
    ...limitsOf('total', budgets),
    ...Object.entries(budgets.purposes).flatMap(([purpose, limit]) => limitsOf(purpose, limit ?? {})),
  ];
  const shadow = policy.mode === 'shadow' ? [IN_SHADOW] : [];
  return [`Policy ${version}`, ...shadow, ...fields, ...limits, `Days and months are those of ${timeZone}.`];
}

function limitsOf(
  scope: string,
  { perDay, perMonth }: { perDay?: number | undefined; perMonth?: number | undefined },
) {
  return [
    perDay !== undefined && `${budgetLabel(`${scope}/day`)}: ${counted(perDay, 'credit')}`,
    perMonth !== undefined && `${budgetLabel(`${scope}/month`)}: ${counted(perMonth, 'credit')}`,
  ];
}

type CompareOptions = CommandOptions & { readonly against?: string; readonly markdown?: boolean };

async function compare(run: CommandRun, options: CompareOptions, file: string): Promise<Sheet> {
  const after = await fileOf(file);
  const connection = await run.connect();
  const { policy: before, source } = await currentOf(connection, options);
  const comparison = await comparePolicies(await enrichmentServices(connection), {
    before,
    after,
    signal: run.signal,
    onProgress: run.progress({ noun: 'records' }),
  });
  const usedUp = await usedUpBudget(connection, after);
  const versions = { before: before.version, after: after.version };
  const titles = { before: `${before.version} (${source})`, after: `${after.version} (${file})` };
  const sections = comparisonSections(
    comparison,
    titles,
    usedUp && usedUpLine(usedUp, connection.policy.timeZone),
  );
  return {
    json: { ...versions, ...comparison, ...(usedUp && { usedUp }) },
    body: options.markdown ? [markdownOf(sections, run.stack)] : sections.flatMap(sectionBody),
  };
}

type UsedUp = Pick<BudgetRefusal, 'budget' | 'usedCredits' | 'limitCredits' | 'opensAtMs'>;

/** Finds the budget of a policy that, by its present use, would refuse even one credit of a purpose now. */
async function usedUpBudget({ services }: Connection, { budgets }: Policy): Promise<UsedUp | undefined> {
  const budgetsNow = await services.ledger.now(budgets);
  const [refusal] = PURPOSES.flatMap(
    (purpose) => budgetsNow.refusal({ purpose, overrulesReserve: true }, 1) ?? [],
  );
  if (!refusal) return undefined;
  const { budget, usedCredits, limitCredits, opensAtMs } = refusal;
  return { budget, usedCredits, limitCredits, opensAtMs };
}

function usedUpLine({ budget, usedCredits, limitCredits, opensAtMs }: UsedUp, timeZone: string): string {
  return `${budgetLabel(budget)}: the limit of ${counted(limitCredits, 'credit')} is used up already (${figure(usedCredits)} used). It allows no lookup until ${instant(opensAtMs, timeZone)}.`;
}

function fileOf(policyFile: string): Promise<Policy> {
  return localPolicy({ policyFile, real: undefined });
}

/** Finds the policy to compare with. If `--against` is not a file, it is the version or hash of an earlier policy. */
async function currentOf(
  { policy, services }: Connection,
  { against }: CompareOptions,
): Promise<{ readonly policy: Policy; readonly source: string }> {
  if (against === undefined) return { policy, source: 'in force' };
  if (existsSync(against)) return { policy: await fileOf(against), source: against };
  const archived = await findPolicy({ policies: services.open(archivedPolicyKind) }, against);
  if (archived) return { policy: archived, source: 'in force before' };
  const message = `There is no policy file ${against}, and no policy of that version or hash was in force.`;
  throw new CliError('no-policy', message, { params: { against } });
}

interface ComparisonSection {
  readonly heading: string;
  readonly lines: readonly Wording[];
  readonly table?: Table | undefined;
}

interface PolicyTitles {
  readonly before: string;
  readonly after: string;
}

/** Maximum number of rows in the terminal. `--json` lists all of them. */
const SHOWN_PROPERTIES = 20;

function comparisonSections(
  { writes, rules, nextCycle, lacking }: PolicyComparison,
  titles: PolicyTitles,
  usedUp: string | undefined,
): readonly ComparisonSection[] {
  const ruled = rules.some(({ rule }) => rule !== undefined) ? [rulesSection(rules)] : [];
  return [writesSection(writes, titles), ...ruled, cycleSection(nextCycle, lacking, usedUp)];
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
      wording`${appliedWords(apply)} would be written to ${counted(apply.records, 'record')}, for 0 credits, by: ${command('policy apply')}`,
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
function leftWords(left: PolicyComparison['writes']['left']): string {
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
  usedUp: string | undefined,
): ComparisonSection {
  const more = after - before;
  return {
    heading: 'One refresh of all records',
    lines: [
      `It costs at most ${counted(after, 'credit')}, ${more === 0 ? 'the same as now' : `${more > 0 ? '+' : ''}${figure(more)} compared with now`}.`,
      'Budgets and freshness decide how many days it takes.',
      ...(usedUp === undefined ? [] : [usedUp]),
      ...lackingLines(lacking),
    ],
  };
}

/** Says which options the stored answers lack, and how a person buys them before the next refresh. */
function lackingLines(lacking: PolicyComparison['lacking']): readonly Wording[] {
  return Object.entries(lacking).map(([option, records]) => {
    const objects = option === 'email' || option === 'phone' ? 'contacts' : 'companies';
    return wording`With ${option}: none of ${counted(records, 'record')} now, because their answers are stored. The next refresh asks for it. To ask under this policy now, with the price first: ${command(`backfill quote --objects ${objects}`)}`;
  });
}

function step(before: number, after: number): string | number {
  return before === after ? before : `${figure(before)} → ${figure(after)}`;
}

function sectionBody({ heading, lines, table }: ComparisonSection, index: number): Lines {
  const indented = lines.map((line) => wording`  ${line}`);
  return [index > 0 && '', heading, ...indented, table && '', table];
}

function markdownOf(parts: readonly ComparisonSection[], stack: string | undefined): string {
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

async function apply(run: CommandRun): Promise<Sheet> {
  const connection = await run.connect();
  const { policy } = connection;
  // A record stores only its last writer, so an apply would replace it there.
  for (const { noun, unfinished } of connection.services.bulkWriters) {
    const id = await unfinished?.();
    if (id === undefined) continue;
    const message = `${noun} ${id} is running. Wait for its end, or stop it.`;
    throw new CliError('backfill', message, { params: { backfill: id } });
  }
  await run.agree(`Stored answers will be mapped again by the policy ${policy.version}, for 0 credits`);
  const services = {
    ...(await enrichmentServices(connection)),
    policies: connection.services.open(archivedPolicyKind),
  };
  const id = await beginApply(services, policy);
  const report = await applyPolicy(services, {
    id,
    signal: run.signal,
    isStopped: async () => (await findApply(services, id))?.endedAtMs !== undefined,
    onProgress: run.progress({ noun: 'records' }),
  });
  if (report.pausedUntilMs === undefined) await endApply(services, id);
  const isWhole = report.pausedUntilMs === undefined && !report.isStopped;
  return {
    json: { id, ...report },
    body: linesOf(id, report, policy.timeZone),
    exit: isWhole ? EXIT.ok : EXIT.refused,
  };
}

function appliedWords({ values, notices }: AppliedReport['written']): string {
  return `${counted(values, 'value')}${notices > 0 ? ` and ${counted(notices, 'due date')} of notices` : ''}`;
}

function linesOf(id: string, report: AppliedReport, timeZone: string): Lines {
  const { records, written, waiting, failed, left, pausedUntilMs, isStopped } = report;
  const leftOut = leftWords(left);
  return [
    `${counted(records, 'stored answer')} mapped again: ${appliedWords(written)} written to ${counted(written.records, 'record')}, for 0 credits.`,
    waiting > 0 && `${counted(waiting, 'record')} wait for HubSpot; the workers continue with them.`,
    failed > 0 && wording`${figure(failed)} failed. To see why: ${command('explain RECORD')}`,
    leftOut !== '' && `Left out: ${leftOut}.`,
    isStopped && 'An undo stopped it; the rest was not written.',
    pausedUntilMs !== undefined &&
      `The rest of HubSpot's requests is reserved for other work until ${instant(pausedUntilMs, timeZone)}. Run the command again after this time, and it continues.`,
    written.values > 0 && wording`To undo it: ${command(`undo --apply ${id}`)}`,
  ];
}
