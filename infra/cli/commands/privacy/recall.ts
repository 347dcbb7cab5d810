import { Option } from 'commander';
import { readLog } from '#shared/credit-ledger';
import { type ObtainedIn, recallValues } from '#shared/enrichment';
import { command, counted, instant, wording } from '#shared/kernel';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import { moment } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { enrichmentServices } from '../records/record-plan.ts';

interface RecallOptions extends CommandOptions {
  readonly source: string;
  readonly from?: number;
  readonly to?: number;
}

/** `privacy recall`: removes all values that came from a source. */
export function addRecall(privacy: SheetCommand): void {
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

async function recall(run: CommandRun, { source, from, to }: RecallOptions): Promise<Sheet> {
  const connection = await run.connect();
  const { policy, clock } = connection;
  const obtained = { fromMs: from ?? 0, toMs: to ?? clock.now() };
  if (obtained.fromMs > obtained.toMs)
    throw new CliError('--from is later than --to.', { code: 'from-after-to' });
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
  const { answers, records, values, open, pausedUntilMs } = report;
  const isWhole = pausedUntilMs === undefined && open.length === 0;
  return {
    json: { source, from: isoTime(obtained.fromMs), to: isoTime(obtained.toMs), ...report },
    body: [
      `Recalled: ${counted(values, 'value')} emptied in ${counted(records, 'record')}, ${counted(answers, 'stored answer')} purged.`,
      ...(open.length === 0
        ? []
        : [
            {
              columns: ['record', 'not complete, because'],
              rows: open.map(({ record, reason }) => [record, reason]),
            },
          ]),
      ...(pausedUntilMs === undefined
        ? []
        : [
            `The rest of HubSpot's requests is reserved for other work until ${instant(pausedUntilMs, policy.timeZone)}.`,
          ]),
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
