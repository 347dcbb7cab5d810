import { readSettings } from '../local/settings.ts';
import type { CliIo } from './cli-io.ts';
import type { Connection } from './connection.ts';
import type { ExitCode } from './exit.ts';

/** What every command is built with. */
export interface Cli {
  readonly io: CliIo;
  /** How the command ends, when not with `EXIT.ok`. */
  end(code: ExitCode): void;
  /** Runs `use` with the books open, and closes them whatever happens. */
  connected<R>(use: (connection: Connection) => Promise<R>): Promise<R>;
}

export function createCli(io: CliIo, end: Cli['end']): Cli {
  return {
    io,
    end,
    connected: async (use) => {
      const settings = readSettings([], io.env);
      // Help and wrong arguments need none of this, and should not wait for it.
      const { connect } = await import('./connection.ts');
      const connection = await connect(settings);
      try {
        return await use(connection);
      } finally {
        await connection.close();
      }
    },
  };
}
