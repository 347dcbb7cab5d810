import { readSettings } from '../local/settings.ts';
import type { Connecting, Connection } from './connection/connection.ts';
import { installationLine } from './connection/installation-line.ts';
import type { CliIo } from './terminal/cli-io.ts';
import type { ExitCode } from './terminal/exit.ts';

/** What every command is built with. */
export interface Cli {
  readonly io: CliIo;
  /** How the command ends, when not with `EXIT.ok`. */
  end(code: ExitCode): void;
  /** Makes the commands work on a deployed stack. */
  chooseStack(name: string): void;
  /** Another policy file than `infra/policy.ts`. A stack has its own. */
  choosePolicy(file: string): void;
  /** Names the installation on standard error, runs `use` with its books open, and closes them whatever happens. */
  connected<R>(use: (connection: Connection) => Promise<R>, how?: Connecting): Promise<R>;
}

export function createCli(io: CliIo, end: Cli['end']): Cli {
  let stack: string | undefined;
  let { env } = io;
  return {
    io,
    end,
    chooseStack: (name) => {
      stack = name;
    },
    choosePolicy: (file) => {
      env = { ...env, POLICY: file };
    },
    connected: async (use, how = {}) => {
      const connection = await connect(stack, { ...io, env }, how);
      try {
        // Not on standard output, which with --json or --csv holds nothing but the result.
        io.err(`${await installationLine(connection)}\n`);
        return await use(connection);
      } finally {
        await connection.close();
      }
    },
  };
}

/** Loaded only now, because it is much: help and wrong arguments need none of it. */
async function connect(stack: string | undefined, io: CliIo, how: Connecting): Promise<Connection> {
  if (stack !== undefined) {
    const { connectStack } = await import('./connection/stack-connection.ts');
    return connectStack(stack, io);
  }
  const settings = readSettings([], io.env);
  const { connectLocal } = await import('./connection/local-connection.ts');
  return connectLocal(settings, how);
}
