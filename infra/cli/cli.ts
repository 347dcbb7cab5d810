import type { Connections } from './connection/connections.ts';
import type { CliIo } from './terminal/cli-io.ts';
import type { ExitCode } from './terminal/exit.ts';

/** The installation that a command works on. */
export interface InstallationOptions {
  /** Name of a deployed stack. Without it, commands work on the installation of this machine. */
  readonly stack?: string;
  /** A policy file other than `infra/policy.ts`. Not allowed for a stack, which has its own policy. */
  readonly policy?: string;
}

/** Tools that every command receives. */
export interface Cli {
  readonly io: CliIo;
  /** Sets the exit code, which is `EXIT.ok` without a call. */
  end(code: ExitCode): void;
  readonly connections: Connections;
}
