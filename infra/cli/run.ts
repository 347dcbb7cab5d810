import { CommanderError } from 'commander';
import { PolicyError, type PolicyFault } from '#shared/field-policy';
import { printable, wordingText } from '#shared/kernel';
import about from '../../package.json' with { type: 'json' };
import { errorText, type Failure, failureOf } from '../local/failure.ts';
import { addBackfill } from './commands/backfill.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDoubts } from './commands/doubts.ts';
import { addEnrich } from './commands/enrich.ts';
import { addExplain } from './commands/explain.ts';
import { addLedger } from './commands/ledger.ts';
import { addLookup } from './commands/lookup.ts';
import { addPage } from './commands/page.ts';
import { addPolicy } from './commands/policy.ts';
import { addForget, addPrivacy } from './commands/privacy.ts';
import { addProbe } from './commands/probe.ts';
import { addQueue, addRuns } from './commands/queue.ts';
import { addRefresh } from './commands/refresh.ts';
import { addRehearse } from './commands/rehearse.ts';
import { addReview } from './commands/review.ts';
import { addSearch } from './commands/search.ts';
import { addSetup } from './commands/setup.ts';
import { addBudgets, addSpend } from './commands/spend.ts';
import { addStatement } from './commands/statement.ts';
import { addTakeBack } from './commands/take-back.ts';
import { addUnmapped } from './commands/unmapped.ts';
import type { InstallationOptions } from './connection/connection.ts';
import { type Connections, ownConnections } from './connection/connections.ts';
import { type Cli, SheetCommand } from './sheet-command.ts';
import { CliError, EXIT, type ExitCode, errorJson } from './terminal/exit.ts';
import { argumentRefusal, parsingError, text } from './terminal/refusals.ts';
import { printJson } from './terminal/sheet.ts';
import type { CliIo } from './terminal/terminal.ts';

const ABOUT = [
  "The operator's commands. Without settings they work on the stand-ins; with DATA_SERVICE_BASE_URL,",
  'DATA_SERVICE_API_KEY, HUBSPOT_ACCESS_TOKEN, HUBSPOT_CLIENT_SECRET and CREDITS_PER_DAY on the real services.',
].join(' ');

const CODES = `
Exit codes: 0 done, 1 failed, or an assumption differs, 2 wrong argument or
setting, 3 refused by a budget or to retry later, 4 not found. With --json or
--csv, only the result is on standard output; messages to a person are on
standard error.
`;

/** Creates the program with all commands. An error is thrown and does not end the process. */
export function createProgram(cli: Cli): SheetCommand {
  const { io } = cli;
  const program = new SheetCommand(cli, 'crm-enrichment')
    .description(ABOUT)
    .addHelpText('after', CODES)
    .version(about.version, '--version');
  addSettings(program, io);
  addStack(program);
  for (const add of COMMANDS) add(program);
  return program;
}

const COMMANDS: readonly ((program: SheetCommand) => void)[] = [
  addDoctor,
  addSetup,
  addRehearse,
  addEnrich,
  addRefresh,
  addLookup,
  addSearch,
  addProbe,
  addSpend,
  addPage,
  addBudgets,
  addStatement,
  addExplain,
  addUnmapped,
  addForget,
  addPrivacy,
  addTakeBack,
  addBackfill,
  addLedger,
  addDoubts,
  addReview,
  addQueue,
  addRuns,
  addPolicy,
];

/** Adds options that can stand before or after the words of a command. */
function addStack(program: SheetCommand): void {
  const about = 'work on a deployed stack: its tables, queues, secrets and policy';
  program
    .option('--stack <name>', about, text)
    .option('--policy <file>', 'a policy file other than infra/policy.ts', text)
    .option('--verbose', 'show where an error came from')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 30 });
  program.hook('preAction', () => {
    const { stack, policy } = program.opts<InstallationOptions>();
    if (stack !== undefined && policy !== undefined)
      throw argumentRefusal('policy-of-stack', { option: '--policy' });
  });
}

function addSettings(program: SheetCommand, io: Cli['io']): void {
  program.exitOverride().configureOutput({
    writeOut: io.out,
    writeErr: io.err,
    getOutHasColors: () => io.colours,
    getErrHasColors: () => false,
    getOutHelpWidth: () => io.width ?? 80,
    getErrHelpWidth: () => io.width ?? 80,
    outputError: (text, write) => write(text.replace(/^error: /, '')),
  });
}

/**
 * Runs one command, and reports every error.
 * @param argv the arguments after the program's name.
 * @returns the exit code.
 */
export async function run(
  argv: readonly string[],
  io: CliIo,
  connections: Connections = ownConnections,
): Promise<number> {
  let code: ExitCode = EXIT.ok;
  const end = (ended: ExitCode) => {
    code = ended;
  };
  const program = createProgram({ io, end, connections });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    const { stack } = program.opts<InstallationOptions>();
    const dataFolder = io.env['DATA_DIR'] ?? '.data';
    const cliError = cliErrorOf(error, { verbose: argv.includes('--verbose'), dataFolder });
    if (!(error instanceof CommanderError)) io.err(`${printable(wordingText(cliError.wording, stack))}\n`);
    if (argv.includes('--json')) printJson(io, { error: errorJson(cliError, stack) });
    return cliError.exit;
  }
}

/** Turns every error, including a bug, into one sentence. */
function cliErrorOf(error: unknown, options: { verbose: boolean; dataFolder?: string }): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) return parsingError(error);
  const failure = failureOf(error, options);
  const faults = policyFaultsIn(error);
  const params = faults ? { ...failure?.params, faults } : failure?.params;
  return new CliError(failure?.code ?? 'bug', errorText(error, options), { exit: exitOf(failure), params });
}

/** The parts of a policy that cannot be used, if this is why a command fails. */
function policyFaultsIn(error: unknown): readonly Pick<PolicyFault, 'code' | 'key'>[] | undefined {
  if (error instanceof PolicyError) return error.faults.map(({ code, key }) => ({ code, key }));
  return error instanceof Error && error.cause !== undefined ? policyFaultsIn(error.cause) : undefined;
}

function exitOf(failure: Failure | undefined): ExitCode {
  if (failure?.isSetting) return EXIT.usage;
  return failure?.isTransient ? EXIT.refused : EXIT.failed;
}
