import { CommanderError } from 'commander';
import { failureOf, told } from '../local/failure.ts';
import { createCli } from './cli.ts';
import { createProgram } from './program.ts';
import type { CliIo } from './terminal/cli-io.ts';
import { CliError, EXIT, type ExitCode, errorJson } from './terminal/exit.ts';
import { printJson } from './terminal/output.ts';

/**
 * Runs one command.
 * @param argv the arguments after the program's name.
 * @returns the exit code; every error has been told.
 */
export async function run(argv: readonly string[], io: CliIo): Promise<number> {
  let code: ExitCode = EXIT.ok;
  const cli = createCli(io, (ended) => {
    code = ended;
  });
  try {
    await createProgram(cli).parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    const dataFolder = io.env['DATA_DIR'] ?? '.data';
    const end = endOf(error, { verbose: argv.includes('--verbose'), dataFolder });
    if (!(error instanceof CommanderError)) io.err(`${end.message}\n`);
    if (argv.includes('--json')) printJson(io, { error: errorJson(end) });
    return end.exit;
  }
}

/** Everything is told in a sentence, a mistake of the program too. */
function endOf(error: unknown, telling: { verbose: boolean; dataFolder?: string }): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) {
    return new CliError(error.message.replace(/^error: /, ''), { exit: EXIT.usage, code: 'usage' });
  }
  const failure = failureOf(error, telling);
  const exit = failure?.isSetting ? EXIT.usage : EXIT.failed;
  return new CliError(told(error, telling), { exit, code: failure?.code ?? 'bug' });
}
