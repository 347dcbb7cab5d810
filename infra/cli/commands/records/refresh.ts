import type { Command } from 'commander';
import type { ObjectType } from '#shared/crm';
import { worstCaseOfRefresh } from '#shared/enrichment';
import { counted } from '#shared/kernel';
import { systemIds as newId } from '#shared/kernel/adapters';
import { type Candidate, chosenCredits, planRefresh } from '#shared/records';
import { createHandler, type RefreshReport } from '../../../../functions/refresh-stale/handler.ts';
import { requireProperties } from '../../../local/require-access.ts';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { consent } from '../../terminal/consent.ts';
import { example } from '../../terminal/example.ts';
import { type OutputOptions, printJson, printSheet, withJson } from '../../terminal/output.ts';
import { budgetLeft } from '../questions/price-line.ts';
import { whyNow } from './why-now.ts';

type RefreshOptions = OutputOptions & { readonly dryRun?: boolean; readonly yes?: boolean };

/** `refresh`: what the schedule does every day, now. */
export function addRefresh(program: Command, cli: Cli): void {
  withJson(
    program
      .command('refresh')
      .description('have stale records enriched anew, the worthiest first, within the refresh budget'),
  )
    .option('--dry-run', 'tell which, in their order and why, and what they may cost, and queue none')
    .option('-y, --yes', 'agree to the price beforehand')
    .addHelpText('after', example('refresh --dry-run'))
    .action((options: RefreshOptions) => refresh(cli, options));
}

async function refresh(cli: Cli, { dryRun = false, yes = false, json }: RefreshOptions): Promise<void> {
  const { io } = cli;
  await cli.connected(async (connection) => {
    const { chosen, rest } = await planRefresh(refreshServices(connection));
    const worstCaseCredits = chosenCredits(chosen);
    const price = `${counted(chosen.length, 'stale record')}: at most ${counted(worstCaseCredits, 'credit')}`;
    if (!dryRun) await requireProperties(connection.services, connection);
    if (!dryRun && chosen.length > 0)
      await consent(io, { question: `${price}, ${await budgetLeft(connection, 'refresh')}`, yes });
    const planned: RefreshReport = { chosen: chosen.length, left: rest, worstCaseCredits };
    const done = dryRun || chosen.length === 0 ? planned : await createHandler(refreshServices(connection))();
    if (json) {
      const order = dryRun ? { order: chosen.map(rowOf) } : {};
      const { hasWorkers } = connection;
      return printJson(io, { dryRun, ...done, ...order, hasWorkers });
    }
    io.out(dryRun ? `${price}.\n` : queuedLine(done.chosen, connection));
    if (dryRun && chosen.length > 0) printOrder(cli, chosen);
    if (done.left > 0) io.out(`At least ${counted(done.left, 'record')} more are left for later.\n`);
  });
}

/** More of them nobody reads; `--json` has them all. */
const SHOWN = 20;

function printOrder({ io }: Cli, chosen: readonly Candidate[]): void {
  const rows = chosen.slice(0, SHOWN).map((candidate) => [recordOf(candidate.state), whyNow(candidate)]);
  printSheet(io, { columns: ['record', 'why'], rows }, {});
  if (chosen.length > SHOWN) io.out(`and ${chosen.length - SHOWN} more; --json tells them all.\n`);
}

function rowOf(candidate: Candidate) {
  const { state, stillTrue, worth, credits } = candidate;
  return { record: recordOf(state), stillTrue, worth, credits, why: whyNow(candidate) };
}

function recordOf({ objectType, id }: Candidate['state']): string {
  return `${objectType}/${id}`;
}

function queuedLine(chosen: number, { hasWorkers }: Connection): string {
  if (chosen === 0) return 'No stale record is chosen.\n';
  const when = hasWorkers ? 'the workers have them' : 'npm start works them off';
  return `Queued: ${counted(chosen, 'record')}; ${when}.\n`;
}

function refreshServices({ services, policy, clock, logger }: Connection) {
  const worstCaseCredits = (objectType: ObjectType) => worstCaseOfRefresh(objectType, policy);
  return { ...services, worstCaseCredits, clock, newId, logger };
}
