import type { Command } from 'commander';
import {
  type AppliedReport,
  applyPolicy,
  beginApply,
  endApply,
  findApply,
  isActive,
} from '#shared/enrichment';
import { counted, figure, instant } from '#shared/kernel';
import { systemIds as newId } from '#shared/kernel/adapters';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { consent } from '../../terminal/consent.ts';
import { example } from '../../terminal/example.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import { type OutputOptions, printJson, withJson } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { enrichmentServices } from '../records/record-plan.ts';
import { leftWords } from './compare-words.ts';

type ApplyOptions = OutputOptions & { readonly yes?: boolean };

/** `policy apply`: what was answered before, mapped anew by the policy that is in force. */
export function addApply(policy: Command, cli: Cli): void {
  withJson(policy.command('apply'))
    .description(
      'map all stored answers anew by the policy in force; 0 credits, and undo --apply takes it back',
    )
    .option('-y, --yes', 'agree beforehand')
    .addHelpText('after', example('policy apply --stack crm-enrichment-sync'))
    .action((options: ApplyOptions) => apply(cli, options));
}

async function apply(cli: Cli, { yes = false, json }: ApplyOptions): Promise<void> {
  const { io } = cli;
  await cli.connected(async (connection) => {
    const { policy } = connection;
    await refuseBesideBackfill(connection);
    const question = `Stored answers will be mapped anew by the policy ${policy.version}, for 0 credits`;
    await consent(io, { question, yes });
    const services = { ...enrichmentServices(connection), policies: connection.services.policies };
    const id = await beginApply({ ...services, newId }, policy);
    const progress = createProgress(io, { noun: 'records' });
    const report = await applyPolicy(services, {
      ...{ id, signal: io.signal },
      isStopped: async () => (await findApply(services, id))?.endedAtMs !== undefined,
      onProgress: progress.update,
    }).finally(progress.end);
    if (report.pausedUntilMs === undefined) await endApply(services, id);
    if (report.pausedUntilMs !== undefined || report.isStopped) cli.end(EXIT.refused);
    if (json) printJson(io, { id, ...report });
    else for (const line of linesOf(id, report, policy.timeZone)) io.out(`${line}\n`);
  });
}

/** A record knows the last backfill that it was let in by, and this would take its place. */
async function refuseBesideBackfill({ services }: Connection): Promise<void> {
  const active = (await services.backfills.list({ partition: 'backfills' })).find(isActive);
  if (!active) return;
  const message = `The backfill ${active.id} is under way: apply the policy when it is done, or stop it.`;
  throw new CliError(message, { exit: EXIT.refused, code: 'backfill' });
}

function linesOf(id: string, report: AppliedReport, timeZone: string): string[] {
  const { records, written, waiting, failed, left, pausedUntilMs, isStopped } = report;
  const leftOut = leftWords(left);
  return [
    `${counted(records, 'stored answer')} mapped anew: ${counted(written.values, 'value')} written to ${counted(written.records, 'record')}, for 0 credits.`,
    ...(waiting > 0 ? [`${counted(waiting, 'record')} wait for HubSpot; the workers go on with them.`] : []),
    ...(failed > 0 ? [`${figure(failed)} failed; explain tells of each why.`] : []),
    ...(leftOut === '' ? [] : [`Left out: ${leftOut}.`]),
    ...(isStopped ? ['An undo of this policy apply stopped it; the rest was not written.'] : []),
    ...(pausedUntilMs === undefined
      ? []
      : [
          `The rest of HubSpot's requests is left to others until ${instant(pausedUntilMs, timeZone)}: begin it again then, it goes on.`,
        ]),
    ...(written.values > 0 ? [`To take it back: undo --apply ${id}`] : []),
  ];
}
