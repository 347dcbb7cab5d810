import type { Connections } from './connection/connections.ts';
import type { CliIo } from './terminal/cli-io.ts';
import type { ExitCode } from './terminal/exit.ts';

/** Tools that every command receives. */
export interface Cli {
  readonly io: CliIo;
  /** Sets the exit code, which is `EXIT.ok` without a call. */
  end(code: ExitCode): void;
  readonly connections: Connections;
}
