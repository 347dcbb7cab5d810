import { Command } from 'commander';
import {
  approved,
  type Backfill,
  backfillKey,
  canaryOf,
  isHalted,
  paused,
  resumed,
  rulesOf,
  started,
  stopped,
  summaryOf,
} from '#shared/enrichment';
import { counted, DAY_MS, figure, figureRange, instant } from '#shared/kernel';
import { requireProperties } from '../../../local/require-access.ts';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { consent } from '../../terminal/consent.ts';
import { example } from '../../terminal/example.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import { type OutputOptions, printJson, printSheet, withCsv, withJson } from '../../terminal/output.ts';
import { budgetLeft } from '../questions/price-line.ts';
import { type InFlight, inFlightOf, inFlightWords, moveTo } from './halt.ts';
import { addQuote } from './quote.ts';
import { quoteLines, rangeWords, statusLines } from './words.ts';

type RunOptions = OutputOptions & { readonly yes?: boolean };

/** `backfill quote|run|status|pause|resume|stop|list`: records from before the installation. */
export function backfillCommand(cli: Cli): Command {
  const backfill = new Command('backfill').description(
    'enrich records from before the installation, with a quote that binds',
  );
  addQuote(backfill, cli);
  withJson(backfill.command('run <id>'))
    .description('begin with the canary; after it, agree to the rest')
    .option('-y, --yes', 'agree to the canary, and to the rest as far as it stays inside the quote')
    .addHelpText('after', example('backfill run 3f2a9c1e'))
    .action((id: string, options: RunOptions) => run(cli, id, options));
  withJson(backfill.command('status <id>').description('how far it is, what it cost, why it waits'))
    .addHelpText('after', example('backfill status 3f2a9c1e'))
    .action((id: string, options: OutputOptions) => status(cli, id, options));
  for (const [name, about] of Object.entries(MOVES)) {
    const command = withJson(backfill.command(`${name} <id>`).description(about));
    if (name === 'stop') command.option('-y, --yes', 'agree beforehand');
    command
      .addHelpText('after', example(`backfill ${name} 3f2a9c1e`))
      .action((id: string, options: RunOptions) => move(cli, { id, name: name as Move, options }));
  }
  withCsv(backfill.command('list').description('all of them, with what they were to cost and did'))
    .addHelpText('after', example('backfill list'))
    .action((options: OutputOptions) => list(cli, options));
  return backfill;
}

const MOVES = {
  pause: 'look up no more records until resume; only requests in flight are still charged',
  resume: 'go on; a rule that stopped it does not stop it again',
  stop: 'end it for good; only requests in flight are still charged, and undo --backfill takes values back',
} as const;
type Move = keyof typeof MOVES;

async function run(cli: Cli, id: string, { yes = false, json }: RunOptions): Promise<void> {
  await cli.connected(async (connection) => {
    const known = await find(connection, id);
    refuseOld(known, connection);
    await requireProperties(connection.services, connection);
    const left = await budgetLeft(connection, 'backfill');
    if (known.state === 'quoted') {
      const words = `${canaryWords(known, connection)}, then a new range; ${left}`;
      await consent(cli.io, { question: words, yes });
    } else if (known.state === 'approval') {
      const range = known.afterCanary;
      await consent(cli.io, { question: `The rest: ${range ? rangeWords(range) : ''}; ${left}`, yes });
    }
    const nowMs = connection.clock.now();
    const moved = await moveTo(connection, id, (backfill) =>
      backfill.state === 'approval'
        ? approved(backfill)
        : started(backfill, { agreedBeforehand: yes, nowMs }),
    );
    if (!moved) throw refused(known, 'run');
    say(cli, { connection, backfill: moved, json });
  });
}

/** Records, answers and the policy change: a quote is not true for ever. */
const VALID_MS = 30 * DAY_MS;

function refuseOld({ id, state, createdAtMs }: Backfill, { clock }: Connection): void {
  if (state !== 'quoted' || clock.now() < createdAtMs + VALID_MS) return;
  throw new CliError(`The quote ${id} is more than 30 days old: make a new one.`, {
    exit: EXIT.refused,
    code: 'too-old',
  });
}

function canaryWords({ strata }: Backfill, { policy }: Connection): string {
  const sizes = canaryOf(strata, rulesOf(policy).canary);
  const records = sizes.reduce((sum, size) => sum + size, 0);
  const most = strata.reduce((sum, { maxCredits }, index) => sum + maxCredits * (sizes[index] ?? 0), 0);
  return `The canary: ${counted(records, 'record')} at random, at most ${counted(most, 'credit')}`;
}

async function status(cli: Cli, id: string, { json }: OutputOptions): Promise<void> {
  await cli.connected(async (connection) => {
    const backfill = await find(connection, id);
    if (json) return printJson(cli.io, { ...summaryOf(backfill), strata: backfill.strata });
    const isQuote = backfill.state === 'quoted' || backfill.state === 'quoting';
    const lines = isQuote
      ? await quoteLines(connection, backfill)
      : statusLines(backfill, connection.policy.timeZone);
    cli.io.out(`${lines.join('\n')}\n`);
  });
}

interface Moving {
  readonly id: string;
  readonly name: Move;
  readonly options: RunOptions;
}

async function move(cli: Cli, { id, name, options }: Moving): Promise<void> {
  await cli.connected(async (connection) => {
    const known = await find(connection, id);
    const nowMs = connection.clock.now();
    if (name === 'stop' && stopped(known, nowMs)) {
      const { records, ended } = summaryOf(known);
      const left = counted(records - ended, 'record');
      const question = `Backfill ${id} will be stopped for good, with ${left} not looked up`;
      await consent(cli.io, { question, yes: options.yes ?? false });
    }
    const moved = await moveTo(connection, id, (backfill) => {
      if (name === 'resume') return resumed(backfill);
      if (name === 'stop') return stopped(backfill, nowMs);
      const pause = { by: 'person', reason: 'Paused by a person.', examples: [], atMs: nowMs } as const;
      const next = paused(backfill, pause);
      return next === backfill ? undefined : next;
    });
    if (!moved) throw refused(known, name);
    const inFlight = isHalted(moved) ? await inFlightOf(connection, moved) : undefined;
    say(cli, { connection, backfill: moved, json: options.json, inFlight });
  });
}

interface Told {
  readonly connection: Connection;
  readonly backfill: Backfill;
  readonly json: boolean | undefined;
  readonly inFlight?: InFlight | undefined;
}

function say({ io }: Cli, { connection: { policy, hasWorkers }, backfill, json, inFlight }: Told): void {
  if (json) {
    printJson(io, { ...summaryOf(backfill), inFlight, hasWorkers });
    return;
  }
  io.out(`${statusLines(backfill, policy.timeZone).join('\n')}\n`);
  if (inFlight) io.out(`${inFlightWords(inFlight)}\n`);
  else if (!hasWorkers) io.out('No worker is running. Start one with npm start.\n');
}

async function find({ services }: Connection, id: string): Promise<Backfill> {
  const stored = await services.backfills.read(backfillKey(id));
  if (stored) return stored.value;
  throw new CliError(`There is no backfill ${id}; backfill list shows all.`, {
    exit: EXIT.notFound,
    code: 'no-backfill',
  });
}

function refused({ id, state }: Backfill, wish: string): CliError {
  return new CliError(`Backfill ${id} is ${state}: ${wish} does not fit that.`, {
    exit: EXIT.refused,
    code: state,
  });
}

async function list(cli: Cli, options: OutputOptions): Promise<void> {
  await cli.connected(async ({ services, policy }) => {
    const all = (await services.backfills.list({ partition: 'backfills' })).map(summaryOf);
    if (options.json) return printJson(cli.io, { backfills: all });
    const columns = ['id', 'made', 'records', 'state', 'asked', 'credits', 'likely', 'at most', 'score'];
    const rows = all.map((one) => [
      one.id,
      instant(one.createdAtMs, policy.timeZone),
      `${one.objectType}, ${one.scope}`,
      one.state,
      `${figure(one.ended)} of ${figure(one.records)}`,
      figure(one.spent),
      one.quote ? figureRange(one.quote.low, one.quote.high) : '',
      one.quote ? figure(one.quote.worst) : '',
      one.score ? (one.score.isInside ? 'inside its range' : 'outside its range') : '',
    ]);
    if (rows.length === 0 && !options.csv) cli.io.out('There is none yet: backfill quote makes one.\n');
    printSheet(cli.io, { columns, rows, right: [4, 5, 6, 7] }, options);
  });
}
