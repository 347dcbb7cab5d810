import type { Command } from 'commander';
import type { ObjectType } from '#shared/crm/crm-record.ts';
import { worstCaseOfRefresh } from '#shared/enrichment/ask/worst-case.ts';
import { systemClock as clock } from '#shared/kernel/clock.system.ts';
import { systemIds as newId } from '#shared/kernel/ids.system.ts';
import type { Logger } from '#shared/kernel/logger.ts';
import { counted } from '#shared/spend/figures.ts';
import { createHandler, type RefreshReport } from '../../../../functions/refresh-stale/handler.ts';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { consent } from '../../terminal/consent.ts';
import { example } from '../../terminal/example.ts';
import { type OutputOptions, printJson, withJson } from '../../terminal/output.ts';
import { budgetLeft } from '../questions/price-line.ts';

type RefreshOptions = OutputOptions & { readonly dryRun?: boolean; readonly yes?: boolean };

/** `refresh`: what the schedule does every day, now. */
export function addRefresh(program: Command, cli: Cli): void {
  withJson(
    program.command('refresh').description('have stale records enriched anew, within the refresh budget'),
  )
    .option('--dry-run', 'tell how many and what they may cost, and queue none')
    .option('-y, --yes', 'agree to the price beforehand')
    .addHelpText('after', example('refresh --dry-run'))
    .action((options: RefreshOptions) => refresh(cli, options));
}

async function refresh(cli: Cli, { dryRun = false, yes = false, json }: RefreshOptions): Promise<void> {
  const { io } = cli;
  await cli.connected(async (connection) => {
    const planned = await planRefresh(connection);
    const price = `${counted(planned.chosen, 'stale record')}: at most ${counted(planned.worstCaseCredits, 'credit')}`;
    if (!dryRun && planned.chosen > 0)
      await consent(io, { question: `${price}, ${await budgetLeft(connection, 'refresh')}`, yes });
    const done =
      dryRun || planned.chosen === 0
        ? planned
        : { ...planned, ...(await createHandler(refreshServices(connection))()) };
    if (json) return printJson(io, { dryRun, ...done, hasWorkers: connection.hasWorkers });
    io.out(dryRun ? `${price}.\n` : queuedLine(done.chosen, connection));
    if (done.left > 0)
      io.out(`At least ${counted(done.left, 'record')} more: the refresh budget leaves them for later.\n`);
  });
}

function queuedLine(chosen: number, { hasWorkers }: Connection): string {
  if (chosen === 0) return 'No stale record is chosen.\n';
  const when = hasWorkers ? 'the workers have them' : 'npm start works them off';
  return `Queued: ${counted(chosen, 'record')}; ${when}.\n`;
}

/** The schedule's own choice, of which nothing is kept. */
function planRefresh(connection: Connection): Promise<RefreshReport> {
  const { records } = connection.services;
  const services = { ...refreshServices(connection), logger: SILENT };
  return createHandler({ ...services, records: { ...records, write: async () => 'written' } })();
}

const SILENT: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

function refreshServices({ services, policy, logger }: Connection) {
  const worstCaseCredits = (objectType: ObjectType) => worstCaseOfRefresh(objectType, policy);
  return { ...services, worstCaseCredits, clock, newId, logger };
}
