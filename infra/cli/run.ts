import { CommanderError } from 'commander';
import { PolicyError, type PolicyFault } from '#shared/field-policy';
import { printable, wordingText } from '#shared/kernel';
import { errorText, type Failure, failureOf } from '../local/failure.ts';
import type { InstallationOptions } from './connection/connection.ts';
import { type Connections, ownConnections } from './connection/connections.ts';
import { createProgram } from './program.ts';
import type { CliIo } from './terminal/cli-io.ts';
import { CliError, EXIT, type ExitCode, errorJson } from './terminal/exit.ts';
import { parsingError } from './terminal/refusals.ts';
import { printJson } from './terminal/sheet.ts';

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
  const details = { exit: exitOf(failure), code: failure?.code ?? 'bug', params };
  return new CliError(errorText(error, options), details);
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
