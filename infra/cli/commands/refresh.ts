import { daysToPay } from '#shared/credit-ledger';
import { worstCaseOfRefresh } from '#shared/enrichment';
import { counted, DAY_MS, dayOf, figure } from '#shared/kernel';
import {
  type DueRecord,
  planRefresh,
  type RefreshPlanServices,
  staleRecords,
  sumCredits,
  weightOf,
} from '#shared/records';
import { createHandler, type RefreshReport } from '../../../functions/refresh-stale/handler.ts';
import { requireProperties } from '../../local/require-access.ts';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import type { Sheet, Table } from '../terminal/sheet.ts';
import { budgetLeft } from './asker.ts';

export function addRefresh(program: SheetCommand): void {
  program
    .command('refresh')
    .description('refresh stale records, within the refresh budget; shows its price first')
    .option(
      '--dry-run',
      'show all stale records in order, their highest price and the last day; refresh nothing',
    )
    .yes('agree to the price beforehand')
    .example('--dry-run')
    .sheet(refresh);
}

async function refresh(
  run: CommandRun,
  { dryRun = false }: CommandOptions & { readonly dryRun?: boolean },
): Promise<Sheet> {
  const connection = await run.connect();
  const { policy, clock, newId, logger, hasWorkers } = connection;
  const price: RefreshPlanServices['worstCaseCredits'] = (of) => worstCaseOfRefresh(of, policy);
  const books = { ...connection.services, policy, worstCaseCredits: price };
  const services = { ...books, clock, newId, logger };
  const { chosen, left } = await planRefresh(services);
  const worstCaseCredits = sumCredits(chosen);
  const planned: RefreshReport = { chosen: chosen.length, left, worstCaseCredits };
  if (dryRun) return dryRunSheet(connection, { planned, ...(await staleRecords(services, MAX_DUE)) });
  await requireProperties(connection.services, connection);
  const most = `${counted(chosen.length, 'stale record')}: at most ${counted(worstCaseCredits, 'credit')}`;
  if (chosen.length > 0) await run.agree(`${most}, ${await budgetLeft(connection, 'refresh')}`);
  const done = chosen.length === 0 ? planned : await createHandler(services)();
  const when = hasWorkers ? 'the workers have them' : 'to process them: npm start';
  return {
    json: { dryRun, ...done, hasWorkers },
    body: [
      done.chosen === 0 ? 'No stale record is due.' : `Queued: ${counted(done.chosen, 'record')}; ${when}.`,
      done.left > 0 && `At least ${counted(done.left, 'record')} more are left for later.`,
    ],
  };
}

/** Maximum number of stale records that a dry run reads, for each object type and weight. */
const MAX_DUE = 10_000;
/** Maximum number of rows in the terminal. `--json` lists all of them. */
const SHOWN = 20;

async function dryRunSheet(
  { services, policy, clock }: Connection,
  { planned, due, isWhole }: { planned: RefreshReport; due: readonly DueRecord[]; isWhole: boolean },
): Promise<Sheet> {
  const credits = sumCredits(due);
  const pace = (await services.ledger.now()).pace({ purpose: 'refresh', amountCredits: 1 });
  const days = due.length === 0 ? undefined : daysToPay(credits, pace);
  const lastDay = days === undefined ? undefined : dayOf(clock.now() + days * DAY_MS, policy.timeZone);
  const rows = due.map(({ state, priority, credits }) => ({
    record: `${state.objectType}/${state.id}`,
    lastCheckDay: state.answeredAtMs === undefined ? undefined : dayOf(state.answeredAtMs, policy.timeZone),
    weight: weightOf(state),
    priority,
    credits,
  }));
  const table: Table = {
    columns: ['record', 'last check', 'weight', 'priority', 'credits at most'],
    rows: rows
      .slice(0, SHOWN)
      .map((row) => [
        row.record,
        row.lastCheckDay ?? 'no match yet',
        String(row.weight),
        figure(row.priority),
        row.credits,
      ]),
  };
  const more = rows.length - SHOWN;
  return {
    json: { dryRun: true, ...planned, due: due.length, credits, isWhole, lastDay, order: rows },
    body: [
      `${isWhole ? '' : 'The first '}${counted(due.length, 'stale record')}: at most ${counted(credits, 'credit')}.`,
      due.length > 0 &&
        (lastDay === undefined
          ? 'The budgets leave no credits for refreshes. Raise the budgets in the policy.'
          : `At this budget, the last one is looked up by ${lastDay}, if each costs its highest price.`),
      due.length > 0 && table,
      more > 0 && `and ${more} more; --json lists them all.`,
    ],
  };
}
