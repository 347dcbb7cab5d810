import { Option } from 'commander';
import { readLog } from '#shared/credit-ledger';
import {
  dueRecords,
  mayBeDue,
  type ObtainedIn,
  planRemovals,
  recallValues,
  removeValues,
} from '#shared/extensions/take-back';
import { command, counted, inChunks, instant, wording } from '#shared/kernel';
import { wantedGroups } from '#shared/records';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT } from '../terminal/exit.ts';
import { moment } from '../terminal/refusals.ts';
import type { Sheet } from '../terminal/sheet.ts';
import { enrichmentServices } from './enrich.ts';

/** Adds `retention` and `recall` to the commands of `privacy`. */
export function addRemovals(program: SheetCommand): void {
  const privacy = program.group('privacy');
  privacy
    .command('retention')
    .description(
      'empty the values that are past their retention period (privacy.retention); cannot be undone',
    )
    .option('--dry-run', 'list what would be emptied by which rule, without values, and change nothing')
    .yes('agree beforehand; it cannot be undone')
    .example('--dry-run')
    .sheet(retention);
  privacy
    .command('recall')
    .description(
      'empty every value of a source that is still ours, and delete its stored answers; cannot be undone',
    )
    .addOption(new Option('--source <name>', 'whose values').choices(['data-service']).makeOptionMandatory())
    .option('--from <time>', 'only what was obtained from this time on, such as 2026-11-21T09:00Z', moment)
    .option('--to <time>', 'only what was obtained up to this time; now by default', moment)
    .yes('agree beforehand; it cannot be undone')
    .example('--source data-service --from 2026-11-01')
    .sheet(recall);
}

interface ExpiredRecord {
  readonly rule: string;
  readonly record: string;
  readonly values: number;
  /** Why some of our values were not emptied. */
  readonly open?: string;
}

/** HubSpot returns the history of at most 50 records in one request. */
const GROUP_SIZE = 50;
/** Maximum number of rows in the terminal. `--json` lists all of them. */
const SHOWN = 20;

/** Runs the sweep's daily retention now. */
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
  const { records, unreadable, pausedUntilMs } = await expire(run, connection, dryRun);
  const rules = [...Map.groupBy(records, ({ rule }) => rule)].map(([rule, list]) => ({
    rule,
    records: list.length,
    values: list.reduce((sum, { values }) => sum + values, 0),
  }));
  const rows = records.slice(0, SHOWN).map(({ record, rule, values, open }) => {
    const done = dryRun ? 'would be emptied' : 'emptied';
    return [record, rule, counted(values, 'value'), open === undefined ? done : `will be retried: ${open}`];
  });
  const more = records.length - SHOWN;
  return {
    json: {
      dryRun,
      rules,
      records,
      unreadable: [...unreadable].map(([rule, property]) => ({ rule, property })),
      pausedUntil: pausedUntilMs === undefined ? undefined : new Date(pausedUntilMs).toISOString(),
    },
    body: [
      {
        columns: ['rule', 'records', 'values'],
        rows: rules.map((sum) => [sum.rule, String(sum.records), String(sum.values)]),
        empty: 'No value is past its retention period.',
      },
      rows.length > 0 && { columns: ['record', 'rule', 'values', 'what'], rows },
      more > 0 && `and ${more} more; --json lists them all.`,
      ...[...unreadable].map(
        ([rule, property]) =>
          `The rule "${rule}" reads ${property}, which HubSpot does not have: its values are kept.`,
      ),
      pausedUntilMs !== undefined &&
        `The rest of HubSpot's requests is reserved for other work until ${instant(pausedUntilMs, connection.policy.timeZone)}. The sweep continues after this time.`,
    ],
    exit: pausedUntilMs === undefined && !records.some(({ open }) => open) ? EXIT.ok : EXIT.refused,
  };
}

async function expire(run: CommandRun, connection: Connection, dryRun: boolean) {
  const { policy, clock } = connection;
  const services = await enrichmentServices(connection);
  const records: ExpiredRecord[] = [];
  // The missing property by rule, for rules that read one.
  const unreadable = new Map<string, string>();
  const show = run.progress({ noun: 'records' });
  const isWanted = (state: Parameters<typeof mayBeDue>[1]) => mayBeDue(policy, state, clock.now());
  for await (const { objectType, states, seen } of wantedGroups(services, isWanted)) {
    for (const group of inChunks(states, GROUP_SIZE)) {
      show(seen);
      const pausedUntilMs = await services.crm.pausedUntil('bulk');
      if (pausedUntilMs !== undefined) return { records, unreadable, pausedUntilMs };
      const found = await dueRecords(services, objectType, group);
      const { due } = found;
      for (const { rule, missing } of found.unreadable) unreadable.set(rule, missing);
      if (due.length === 0) continue;
      const done = dryRun
        ? (await planRemovals(services, objectType, due)).map(({ values }) => ({ removed: values }))
        : await removeValues(services, objectType, due);
      due.forEach(({ state, wish }, at) => {
        const result = done[at];
        const values = result && 'removed' in result ? Object.keys(result.removed).length : 0;
        const open = result && 'kind' in result ? openWords(result) : undefined;
        const record = { rule: wish.rule ?? 'recall', record: `${objectType}/${state.id}`, values };
        records.push({ ...record, ...(open !== undefined && { open }) });
      });
    }
  }
  return { records, unreadable, pausedUntilMs: undefined };
}

function openWords(result: Awaited<ReturnType<typeof removeValues>>[number]): string | undefined {
  if (result.kind === 'open') return result.reason;
  return result.kind === 'busy' ? 'a worker has the record' : undefined;
}

interface RecallOptions extends CommandOptions {
  readonly source: string;
  readonly from?: number;
  readonly to?: number;
}

/** Removes all values that came from a source. */
async function recall(run: CommandRun, { source, from, to }: RecallOptions): Promise<Sheet> {
  const connection = await run.connect();
  const { policy, clock } = connection;
  const obtained = { fromMs: from ?? 0, toMs: to ?? clock.now() };
  if (obtained.fromMs > obtained.toMs) throw new CliError('from-after-to', '--from is later than --to.');
  const when = from === undefined ? 'until' : `from ${instant(from, policy.timeZone)} to`;
  await run.agree(
    `Every value that ${source} gave ${when} ${instant(obtained.toMs, policy.timeZone)} will be emptied in HubSpot if it is unchanged. Its answers and journal entries will be deleted. This cannot be undone`,
  );
  const isoTime = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
  const start = from === undefined ? '' : ` --from ${isoTime(from)}`;
  // Rounded up, because `--to` accepts only whole seconds.
  const again = command(`privacy recall --source ${source}${start} --to ${isoTime(obtained.toMs + 999)}`);
  run.resumesWith(again);
  const services = await enrichmentServices(connection);
  const report = await recallValues(services, {
    obtained,
    questions: () => chargedQuestions(connection, obtained),
    onProgress: run.progress({ noun: 'records' }),
  });
  const { answers, records, values, open, forgotten, pausedUntilMs } = report;
  const isWhole = pausedUntilMs === undefined && open.length === 0;
  return {
    json: { source, from: isoTime(obtained.fromMs), to: isoTime(obtained.toMs), ...report },
    body: [
      `Recalled: ${counted(values, 'value')} emptied in ${counted(records, 'record')}, ${counted(answers, 'stored answer')} purged.`,
      open.length !== 0 && {
        columns: ['record', 'not complete, because'],
        rows: open.map(({ record, reason }) => [record, reason]),
      },
      forgotten.length !== 0 && {
        columns: ['record of a forgotten person', 'what to do'],
        rows: forgotten.map((record) => [record, 'check its values in HubSpot, or delete it there']),
      },
      pausedUntilMs !== undefined &&
        `The rest of HubSpot's requests is reserved for other work until ${instant(pausedUntilMs, policy.timeZone)}.`,
    ],
    notes: isWhole ? [] : [wording`To continue: ${again}`],
    exit: isWhole ? EXIT.ok : EXIT.refused,
  };
}

/** Keys of the questions charged in this period, without duplicates. */
async function* chargedQuestions(
  { services: { ledgerStore } }: Connection,
  { fromMs }: ObtainedIn,
): AsyncGenerator<string> {
  const known = new Set<string>();
  for await (const { questionKey, atMs } of readLog(ledgerStore)) {
    // Entries after the period are read too, because a charge can be booked days after its request.
    if (questionKey === undefined || atMs < fromMs || known.has(questionKey)) continue;
    known.add(questionKey);
    yield questionKey;
  }
}
