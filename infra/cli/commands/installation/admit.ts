import { Option } from 'commander';
import { laneOf, PURPOSES, type Purpose } from '#shared/crm';
import { worstCaseOfRefresh } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import { admitted, changeRecord, placeInTurn, type RecordState, recordKind } from '#shared/records';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { wholeNumber } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';

/** Purposes that the reserve for leads holds back. */
const HELD_BACK = PURPOSES.filter((purpose) => laneOf(purpose) === 'bulk');
const MOST = 100;

type AdmitOptions = CommandOptions & { readonly purpose?: Purpose; readonly limit: number };

/** `queue admit`: starts waiting records in spite of the reserve for leads, once. */
export function addAdmit(queue: SheetCommand): void {
  queue
    .command('admit')
    .description('start waiting records in spite of the reserve for new leads')
    .addOption(new Option('--purpose <purpose>', 'records of one purpose only').choices(HELD_BACK))
    .option('--limit <count>', 'highest number of records, newest first', wholeNumber(1), MOST)
    .yes('agree to the price beforehand')
    .example('--purpose import --limit 50')
    .sheet(admit);
}

async function admit(run: CommandRun, { purpose, limit }: AdmitOptions): Promise<Sheet> {
  const connection = await run.connect();
  const { services, policy, clock } = connection;
  const waiting = await waitingRecords(connection, { purposes: purpose ? [purpose] : HELD_BACK, limit });
  const worstCaseCredits = waiting.reduce((sum, state) => sum + mostOf(state, policy), 0);
  if (waiting.length > 0) await run.agree(await priceOf(connection, waiting));
  let count = 0;
  for (const record of waiting) {
    const { state } = await changeRecord({ ...services, clock }, record, (state) => ({
      state: admitted(state, clock.now()),
    }));
    if (state) count += 1;
  }
  return {
    json: { admitted: count, worstCaseCredits },
    body: [
      waiting.length === 0
        ? 'No record is queued.'
        : `${counted(count, 'record')} admitted. The next sweep starts them, as far as the budget goes.`,
    ],
  };
}

async function waitingRecords(
  { services }: Connection,
  { purposes, limit }: { readonly purposes: readonly Purpose[]; readonly limit: number },
): Promise<readonly RecordState[]> {
  const found: RecordState[] = [];
  for (const purpose of purposes) {
    if (found.length >= limit) break;
    const partition = recordKind.partition(placeInTurn(purpose));
    const query = { partition, limit: limit - found.length, newestFirst: true };
    found.push(...(await services.records.list(query)));
  }
  return found;
}

/** Highest price of one record: by the policy, or as a person agreed. */
function mostOf({ objectType, run, backfill }: RecordState, policy: Policy): number {
  const quoted = run && backfill?.runId === run.id ? backfill.maxCredits : run?.asked?.maxCredits;
  return Math.min(worstCaseOfRefresh({ objectType }, policy), quoted ?? Number.POSITIVE_INFINITY);
}

async function priceOf(
  { services: { ledger }, policy }: Connection,
  waiting: readonly RecordState[],
): Promise<string> {
  const credits = waiting.reduce((sum, state) => sum + mostOf(state, policy), 0);
  const purposes = [...new Set(waiting.flatMap(({ run }) => run?.purpose ?? []))];
  const budgetsNow = await ledger.now();
  const left = purposes.map((each) => budgetsNow.left(each, { overrulesReserve: true }));
  const price = `${counted(waiting.length, 'record')}: at most ${counted(credits, 'credit')}`;
  const budget = `The budget has ${counted(Math.max(0, ...left), 'credit')} left, the reserve for new leads included`;
  return `${price}. ${budget}, and is not exceeded`;
}
