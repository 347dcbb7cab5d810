import { CommanderError } from 'commander';
import { UpstreamError } from '#shared/kernel/errors.ts';
import { SettingsError } from '../local/settings.ts';
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
    const end = endOf(error);
    if (!(error instanceof CommanderError)) io.err(`${end.message}\n`);
    if (argv.includes('--json')) printJson(io, { error: errorJson(end) });
    return end.exit;
  }
}

/** A bug keeps its stack; everything else is told in a sentence. */
function endOf(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) {
    return new CliError(error.message.replace(/^error: /, ''), { exit: EXIT.usage, code: 'usage' });
  }
  if (error instanceof SettingsError)
    return new CliError(error.message, { exit: EXIT.usage, code: 'settings' });
  if (error instanceof UpstreamError)
    return new CliError(error.message, { exit: EXIT.failed, code: error.code });
  const isLost = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
  if (isLost) {
    const message = 'The running system ended in the middle of this command; run it once more.';
    return new CliError(message, { exit: EXIT.failed, code: 'connection-lost' });
  }
  if (error instanceof Error && '$metadata' in error)
    return new CliError(`AWS refused it (${error.name}): ${error.message}`, {
      exit: EXIT.failed,
      code: 'aws-refused',
    });
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new CliError(stack, { exit: EXIT.failed, code: 'bug' });
}
