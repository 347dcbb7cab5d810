import {
  type Backfill,
  backfillItems,
  backfillKind,
  inFlightOf,
  isHalted,
  isOldQuote,
  moveBackfill,
  priceOfStep,
  stopped,
  summaryOf,
  trialOf,
  trialWords,
} from '#shared/extensions/backfill';
import { command, counted, figure, instant, wording } from '#shared/kernel';
import { limitWords } from '#shared/spend';
import { type InFlight, inFlightWords } from '#shared/take-back';
import { requireProperties } from '../../local/require-access.ts';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError } from '../terminal/exit.ts';
import { percentage } from '../terminal/refusals.ts';
import type { Sheet } from '../terminal/sheet.ts';
import { budgetLeft } from './asker.ts';
import { addQuote, coverOf, quoteLines, statusLines } from './backfill-quote.ts';

type RunOptions = CommandOptions & { readonly minMatchRate?: number; readonly maxDamage?: number };

export function addBackfill(program: SheetCommand): void {
  const backfill = program
    .command('backfill')
    .description('enrich existing records; shows a maximum cost first');
  addQuote(backfill);
  backfill
    .command('run <id>')
    .description('start with a trial of some records, then agree to the rest')
    .yes('agree to the trial, and to the rest within the quote')
    .option('--min-match-rate <percent>', 'pause if fewer records match', percentage)
    .option('--max-damage <percent>', 'pause if more answers contradict, or more writes fail', percentage)
    .example('3f2a9c1e')
    .sheet(runBackfill);
  backfill
    .command('status <id>')
    .description('show progress, cost, and the cause of a wait')
    .example('3f2a9c1e')
    .sheet(showStatus);
  for (const name of ['pause', 'resume', 'stop'] as const) {
    const command = backfill.command(`${name} <id>`).description(MOVES[name]).example('3f2a9c1e');
    if (name === 'stop') command.yes('agree beforehand');
    command.sheet((run, _: CommandOptions, id: string) => move(run, { id, name }));
  }
  backfill.command('list').description('list all backfills, with quoted and actual cost').csv().sheet(list);
}

const MOVES = {
  pause: 'look up no more records until resume; only requests in flight are still charged',
  resume: 'continue; the limit that paused it does not pause it again',
  stop: 'end it for good; only requests in flight are still charged; undo restores its values',
} as const;
type Move = keyof typeof MOVES;

async function runBackfill(run: CommandRun, options: RunOptions, id: string): Promise<Sheet> {
  const { yes = false, minMatchRate, maxDamage } = options;
  const connection = await run.connect();
  const known = await find(connection, id);
  if (isOldQuote(known, connection.clock.now())) {
    const message = wording`The quote ${id} is more than 30 days old: make a new one with ${command('backfill quote')}`;
    throw new CliError('too-old', message);
  }
  await requireProperties(connection.services, connection);
  const left = await budgetLeft(connection, 'backfill');
  const limits = {
    ...(minMatchRate !== undefined && { matchRate: minMatchRate }),
    ...(maxDamage !== undefined && { damage: maxDamage }),
  };
  if (known.state === 'quoted') await run.agree(`${startWords(known)}; ${left}`);
  else if (known.state === 'approval') {
    const { trial, limits: proposed } = summaryOf(known);
    const most = counted(priceOfStep(known), 'credit');
    const results = trial ? trialWords(trial) : '';
    const pauses = limitWords({ ...proposed, ...limits });
    await run.agree(`${results} ${pauses} The other records cost at most ${most}; ${left}`);
  }
  const kind = known.state === 'quoted' ? 'start' : 'approve';
  const move = { kind, limits, agreedBeforehand: yes } as const;
  const moveResult = await moveBackfill(movingOf(connection), id, move);
  if (moveResult.kind !== 'moved') throw refused(known, 'run');
  return sheetOf(connection, moveResult.backfill);
}

function movingOf({ services, clock }: Connection) {
  return { ...backfillItems(services), clock };
}

function startWords(backfill: Backfill): string {
  const records = trialOf(backfill).reduce((sum, size) => sum + size, 0);
  const most = priceOfStep(backfill);
  return `The trial: ${counted(records, 'record')} at random, ${most === 0 ? 'free' : `at most ${counted(most, 'credit')}`}`;
}

async function showStatus(run: CommandRun, _: CommandOptions, id: string): Promise<Sheet> {
  const connection = await run.connect();
  const backfill = await find(connection, id);
  const summary = summaryOf(backfill, await stopOf(connection));
  const isQuote = backfill.state === 'quoted' || backfill.state === 'quoting';
  return {
    json: { ...summary, ...(await coverOf(connection, backfill)), strata: backfill.strata },
    body: isQuote
      ? await quoteLines(connection, backfill)
      : statusLines(summary, backfill, connection.policy.timeZone),
  };
}

async function move(run: CommandRun, { id, name }: { id: string; name: Move }): Promise<Sheet> {
  const connection = await run.connect();
  const known = await find(connection, id);
  const canStop = stopped(known, connection.clock.now()) !== undefined;
  if (name === 'stop' && canStop) {
    const { records, ended } = summaryOf(known);
    const left = counted(records - ended, 'record');
    await run.agree(`Backfill ${id} will be stopped for good, with ${left} not looked up`);
  }
  const moveResult = await moveBackfill(movingOf(connection), id, { kind: name, by: 'operator' });
  if (moveResult.kind !== 'moved') throw refused(known, name);
  const { backfill } = moveResult;
  return sheetOf(
    connection,
    backfill,
    isHalted(backfill) ? await inFlightOf(connection.services, backfill) : undefined,
  );
}

async function sheetOf(connection: Connection, backfill: Backfill, inFlight?: InFlight): Promise<Sheet> {
  const { policy, hasWorkers } = connection;
  const summary = summaryOf(backfill, await stopOf(connection));
  return {
    json: { ...summary, inFlight, hasWorkers },
    body: statusLines(summary, backfill, policy.timeZone),
    notes: [
      inFlight && inFlightWords(inFlight),
      !(inFlight || hasWorkers) && 'No worker is running. To start one: npm start.',
    ],
  };
}

async function stopOf({ services }: Connection) {
  return (await services.breakers.read()).stopped;
}

async function find({ services }: Connection, id: string): Promise<Backfill> {
  const stored = await backfillItems(services).backfills.read(backfillKind.key(id));
  if (!stored) throw noBackfill(id);
  return stored.value;
}

function noBackfill(id: string): CliError {
  const message = wording`There is no backfill ${id}. To see all: ${command('backfill list')}`;
  return new CliError('no-backfill', message);
}

function refused({ id, state }: Backfill, action: string): CliError {
  return new CliError('not-in-state', `Backfill ${id} cannot ${action} in its state "${state}".`, {
    params: { state },
  });
}

async function list(run: CommandRun): Promise<Sheet> {
  const connection = await run.connect();
  const { services, policy } = connection;
  const stored = await backfillItems(services).backfills.list({
    partition: backfillKind.partition('backfills'),
  });
  const stop = await stopOf(connection);
  const all = stored.map((each) => summaryOf(each, stop));
  const none = wording`There is no backfill yet. To make one: ${command('backfill quote')}`;
  const columns = ['id', 'made', 'records', 'state', 'done', 'not looked up, or failed'];
  const costs = ['credits', 'expected', 'at most', 'found', 'filled'];
  const rows = all.map((backfill) => [
    backfill.id,
    instant(backfill.createdAtMs, policy.timeZone),
    `${backfill.objectType}, ${backfill.scope}`,
    backfill.state,
    `${figure(backfill.ended)} of ${figure(backfill.records)}`,
    backfill.others,
    backfill.spent,
    backfill.expected,
    backfill.quote?.atMost,
    backfill.hits,
    backfill.filled,
  ]);
  return { json: { backfills: all }, body: [{ columns: [...columns, ...costs], rows, empty: none }] };
}
