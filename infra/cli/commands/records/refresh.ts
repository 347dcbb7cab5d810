import { worstCaseOfRefresh } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import { type Candidate, chosenCredits, planRefresh, type RefreshPlanServices } from '#shared/records';
import { createHandler, type RefreshReport } from '../../../../functions/refresh-stale/handler.ts';
import { requireProperties } from '../../../local/require-access.ts';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import type { Sheet, Table } from '../../terminal/sheet.ts';
import { budgetLeft } from '../questions/price-line.ts';
import { candidateWords, whyNow } from './why-now.ts';

/** `refresh`: runs the scheduled refresh now. */
export function addRefresh(program: SheetCommand): void {
  program
    .command('refresh')
    .description('refresh stale records, within the refresh budget; shows its price first')
    .option('--dry-run', 'show the records in order, with reason and highest price; refresh nothing')
    .yes('agree to the price beforehand')
    .example('--dry-run')
    .sheet(refresh);
}

async function refresh(
  run: CommandRun,
  { dryRun = false }: CommandOptions & { readonly dryRun?: boolean },
): Promise<Sheet> {
  const connection = await run.connect();
  const { chosen, rest } = await planRefresh(refreshServices(connection));
  const worstCaseCredits = chosenCredits(chosen);
  const price = `${counted(chosen.length, 'stale record')}: at most ${counted(worstCaseCredits, 'credit')}`;
  if (!dryRun) await requireProperties(connection.services, connection);
  if (!dryRun && chosen.length > 0) await run.agree(`${price}, ${await budgetLeft(connection, 'refresh')}`);
  const planned: RefreshReport = { chosen: chosen.length, left: rest, worstCaseCredits };
  const done = dryRun || chosen.length === 0 ? planned : await createHandler(refreshServices(connection))();
  const { hasWorkers } = connection;
  return {
    json: {
      dryRun,
      ...done,
      ...(dryRun && { order: chosen.map((each) => rowOf(each, connection.policy)) }),
      hasWorkers,
    },
    body: [
      ...(dryRun ? [`${price}.`, ...orderOf(chosen)] : [queuedLine(done.chosen, connection)]),
      ...(done.left > 0 ? [`At least ${counted(done.left, 'record')} more are left for later.`] : []),
    ],
  };
}

/** Maximum number of rows in the terminal. `--json` lists all of them. */
const SHOWN = 20;

function orderOf(chosen: readonly Candidate[]): (string | Table)[] {
  const rows = chosen.slice(0, SHOWN).map((candidate) => {
    const { accuracy, priority, kind } = candidateWords(candidate);
    return [recordOf(candidate.state), accuracy, priority, kind, candidate.credits];
  });
  const more = chosen.length - SHOWN;
  return [
    { columns: ['record', 'still accurate', 'priority', 'kind', 'credits at most'], rows },
    ...(more > 0 ? [`and ${more} more; --json lists them all.`] : []),
  ];
}

function rowOf(candidate: Candidate, policy: Policy) {
  const { state, stillTrue, worth, credits } = candidate;
  return { record: recordOf(state), stillTrue, worth, credits, why: whyNow(candidate, policy) };
}

function recordOf({ objectType, id }: Candidate['state']): string {
  return `${objectType}/${id}`;
}

function queuedLine(chosen: number, { hasWorkers }: Connection): string {
  if (chosen === 0) return 'No stale record is due.';
  const when = hasWorkers ? 'the workers have them' : 'to process them: npm start';
  return `Queued: ${counted(chosen, 'record')}; ${when}.`;
}

function refreshServices({ services, policy, clock, newId, logger }: Connection) {
  const worstCaseCredits: RefreshPlanServices['worstCaseCredits'] = (of) => worstCaseOfRefresh(of, policy);
  return { ...services, worstCaseCredits, clock, newId, logger };
}
