import { dueRecords, mayBeDue, planRemovals, removeValues, wantedGroups } from '#shared/enrichment';
import { command, counted, inChunks, instant } from '#shared/kernel';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { EXIT } from '../../terminal/exit.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { enrichmentServices } from '../records/record-plan.ts';

/** `privacy retention`: runs the sweep's daily retention now. */
export function addRetention(privacy: SheetCommand): void {
  privacy
    .command('retention')
    .description(
      'empty the values that are past their retention period (privacy.retention); cannot be undone',
    )
    .option('--dry-run', 'list what would be emptied by which rule, without values, and change nothing')
    .yes('agree beforehand; it cannot be undone')
    .example('--dry-run')
    .sheet(retention);
}

interface ExpiredRecord {
  readonly rule: string;
  readonly record: string;
  /** Number of properties that were or would be emptied. */
  readonly values: number;
  /** Why some of our values were not emptied. */
  readonly open?: string;
}

interface Expired {
  readonly records: ExpiredRecord[];
  /** The missing property by rule, for rules that read one. */
  readonly unreadable: Map<string, string>;
  pausedUntilMs?: number;
}

/** HubSpot returns the history of at most 50 records in one request. */
const GROUP_SIZE = 50;

async function retention(
  run: CommandRun,
  { dryRun = false }: CommandOptions & { readonly dryRun?: boolean },
): Promise<Sheet> {
  const connection = await run.connect();
  if (!dryRun) {
    const what =
      'Values past their retention period will be emptied in HubSpot, and deleted from our answers and journal';
    await run.agree(`${what}. This cannot be undone`);
    run.resumesWith(command('privacy retention'));
  }
  const expired = await expire(run, connection, dryRun);
  const { records, unreadable, pausedUntilMs } = expired;
  const isWhole = pausedUntilMs === undefined && !records.some(({ open }) => open);
  return {
    json: {
      dryRun,
      rules: sumsOf(records),
      records,
      unreadable: [...unreadable].map(([rule, property]) => ({ rule, property })),
      ...(pausedUntilMs !== undefined && { pausedUntil: new Date(pausedUntilMs).toISOString() }),
    },
    body: [
      {
        columns: ['rule', 'records', 'values'],
        rows: sumsOf(records).map(({ rule, ...sum }) => [rule, String(sum.records), String(sum.values)]),
        empty: 'No value is past its retention period.',
      },
      ...recordLines(records, dryRun),
      ...[...unreadable].map(
        ([rule, property]) =>
          `The rule "${rule}" reads ${property}, which HubSpot does not have: its values are kept.`,
      ),
      ...(pausedUntilMs === undefined
        ? []
        : [
            `The rest of HubSpot's requests is reserved for other work until ${instant(pausedUntilMs, connection.policy.timeZone)}. The sweep continues after this time.`,
          ]),
    ],
    exit: isWhole ? EXIT.ok : EXIT.refused,
  };
}

async function expire(run: CommandRun, connection: Connection, dryRun: boolean): Promise<Expired> {
  const { policy, clock } = connection;
  const services = await enrichmentServices(connection);
  const expired: Expired = { records: [], unreadable: new Map() };
  const show = run.progress({ noun: 'records' });
  const isWanted = (state: Parameters<typeof mayBeDue>[1]) => mayBeDue(policy, state, clock.now());
  for await (const { objectType, states, seen } of wantedGroups(services, isWanted)) {
    for (const group of inChunks(states, GROUP_SIZE)) {
      show(seen);
      const pausedUntilMs = await services.crm.pausedUntil('bulk');
      if (pausedUntilMs !== undefined) return { ...expired, pausedUntilMs };
      const { due, unreadable } = await dueRecords(services, objectType, group);
      for (const { rule, missing } of unreadable) expired.unreadable.set(rule, missing);
      if (due.length === 0) continue;
      const done = dryRun
        ? (await planRemovals(services, objectType, due)).map(({ removed }) => ({ removed }))
        : await removeValues(services, objectType, due);
      due.forEach(({ state, removal }, at) => {
        const result = done[at];
        const record = { rule: removal.rule ?? 'recall', record: `${objectType}/${state.id}` };
        const values = result && 'removed' in result ? Object.keys(result.removed).length : 0;
        const open = result && 'kind' in result ? openWords(result) : undefined;
        expired.records.push({ ...record, values, ...(open !== undefined && { open }) });
      });
    }
  }
  return expired;
}

function openWords(result: Awaited<ReturnType<typeof removeValues>>[number]): string | undefined {
  if (result.kind === 'open') return result.reason;
  return result.kind === 'busy' ? 'a worker has the record' : undefined;
}

interface RuleSum {
  readonly rule: string;
  readonly records: number;
  readonly values: number;
}

function sumsOf(records: readonly ExpiredRecord[]): readonly RuleSum[] {
  return [...Map.groupBy(records, ({ rule }) => rule)].map(([rule, list]) => ({
    rule,
    records: list.length,
    values: list.reduce((sum, { values }) => sum + values, 0),
  }));
}

/** Maximum number of rows in the terminal. `--json` lists all of them. */
const SHOWN = 20;

function recordLines(records: readonly ExpiredRecord[], dryRun: boolean) {
  if (records.length === 0) return [];
  const rows = records
    .slice(0, SHOWN)
    .map(({ record, rule, values, open }) => [
      ...[record, rule, counted(values, 'value')],
      open === undefined ? (dryRun ? 'would be emptied' : 'emptied') : `will be retried: ${open}`,
    ]);
  const more = records.length - SHOWN;
  return [
    { columns: ['record', 'rule', 'values', 'what'], rows },
    ...(more > 0 ? [`and ${more} more; --json lists them all.`] : []),
  ];
}
