import { Option } from 'commander';
import type { Purpose } from '#shared/crm';
import { findWaiting, HELD_BACK, MAX_ADMITTED, spendingStop, startRecords } from '#shared/enrichment';
import { command, counted, wording } from '#shared/kernel';
import { label } from '#shared/spend';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError } from '../../terminal/exit.ts';
import { wholeNumber } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';

type AdmitOptions = CommandOptions & { readonly purpose?: Purpose; readonly limit: number };

/** `queue admit`: starts waiting records now, although their credits are reserved for new leads. */
export function addAdmit(queue: SheetCommand): void {
  queue
    .command('admit')
    .description('start waiting records in spite of the reserve for new leads')
    .addOption(new Option('--purpose <purpose>', 'records of one purpose only').choices(HELD_BACK))
    .option('--limit <count>', 'highest number of records, newest first', wholeNumber(1), MAX_ADMITTED)
    .yes('agree to the price beforehand')
    .example('--purpose import --limit 50')
    .sheet(admit);
}

async function admit(run: CommandRun, { purpose, limit }: AdmitOptions): Promise<Sheet> {
  const connection = await run.connect();
  const { services, policy, clock } = connection;
  const stopped = await spendingStop(services);
  if (stopped !== undefined) {
    const message = wording`${stopped} To resume it, run: ${command('spend resume')}`;
    throw new CliError(message, { code: 'stopped-by-person' });
  }
  const purposes = purpose ? [purpose] : HELD_BACK;
  const waiting = await findWaiting({ ...services, policy }, { purposes, limit });
  if (waiting.records.length > 0) await run.agree(await priceOf(connection, waiting));
  const count = await startRecords({ ...services, policy, clock }, waiting.records);
  return {
    json: { admitted: count, worstCaseCredits: waiting.maxCredits },
    body: [
      waiting.records.length === 0
        ? `No record of these purposes is queued: ${purposes.map(label).join(', ')}.`
        : `${counted(count, 'record')} admitted. The next sweep starts them, as far as the budget goes.`,
    ],
  };
}

async function priceOf(
  { services: { ledger } }: Connection,
  { records, maxCredits }: Awaited<ReturnType<typeof findWaiting>>,
): Promise<string> {
  const purposes = [...new Set(records.flatMap(({ run }) => run?.purpose ?? []))];
  const budgetsNow = await ledger.now();
  const left = purposes.map((each) => budgetsNow.left(each, { overrulesReserve: true }));
  const price = `${counted(records.length, 'record')}: at most ${counted(maxCredits, 'credit')}`;
  const budget = `The budget has ${counted(Math.max(0, ...left), 'credit')} left, the reserve for new leads included`;
  return `${price}. ${budget}, and is not exceeded`;
}
