import {
  type AppliedReport,
  applyPolicy,
  backfillKind,
  beginApply,
  endApply,
  findApply,
  isActive,
} from '#shared/enrichment';
import { command, counted, figure, instant, type Wording, wording } from '#shared/kernel';
import type { Connection } from '../../connection/connection.ts';
import type { CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { enrichmentServices } from '../records/record-plan.ts';
import { leftWords } from './compare-words.ts';

/** `policy apply`: maps stored answers again, by the current policy. */
export function addApply(policy: SheetCommand): void {
  policy
    .command('apply')
    .description('apply the present policy to all stored answers, for 0 credits; can be undone')
    .yes('agree beforehand')
    .example('--stack crm-enrichment')
    .sheet(apply);
}

async function apply(run: CommandRun): Promise<Sheet> {
  const connection = await run.connect();
  const { policy } = connection;
  await refuseBesideBackfill(connection);
  await run.agree(`Stored answers will be mapped again by the policy ${policy.version}, for 0 credits`);
  const services = { ...(await enrichmentServices(connection)), policies: connection.services.policies };
  const id = await beginApply(services, policy);
  const report = await applyPolicy(services, {
    ...{ id, signal: run.signal },
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

/**
 * Refuses to run during a backfill. A record stores only its last backfill or apply, so an apply would replace the
 * backfill there.
 */
async function refuseBesideBackfill({ services }: Connection): Promise<void> {
  const active = (await services.backfills.list({ partition: backfillKind.partition('backfills') })).find(
    isActive,
  );
  if (!active) return;
  const message = `The backfill ${active.id} is running. Wait for its end, or stop it.`;
  throw new CliError(message, { code: 'backfill', params: { backfill: active.id } });
}

function linesOf(id: string, report: AppliedReport, timeZone: string): Wording[] {
  const { records, written, waiting, failed, left, pausedUntilMs, isStopped } = report;
  const leftOut = leftWords(left);
  return [
    `${counted(records, 'stored answer')} mapped again: ${counted(written.values, 'value')} written to ${counted(written.records, 'record')}, for 0 credits.`,
    ...(waiting > 0
      ? [`${counted(waiting, 'record')} wait for HubSpot; the workers continue with them.`]
      : []),
    ...(failed > 0 ? [wording`${figure(failed)} failed. To see why: ${command('explain RECORD')}`] : []),
    ...(leftOut === '' ? [] : [`Left out: ${leftOut}.`]),
    ...(isStopped ? ['An undo stopped it; the rest was not written.'] : []),
    ...(pausedUntilMs === undefined
      ? []
      : [
          `The rest of HubSpot's requests is reserved for other work until ${instant(pausedUntilMs, timeZone)}. Run the command again after this time, and it continues.`,
        ]),
    ...(written.values > 0 ? [wording`To undo it: ${command(`undo --apply ${id}`)}`] : []),
  ];
}
