import { readLocalSettings } from '../local/settings.ts';
import type { Connecting, Connection, ReadingConnection } from './connection/connection.ts';
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
  open(installation: InstallationOptions, how?: Connecting): Promise<Connection>;
  /** Opens the tables without the keys of a stack. */
  openToRead(installation: InstallationOptions): Promise<ReadingConnection>;
}

export function createCli(io: CliIo, end: Cli['end']): Cli {
  return {
    io,
    end,
    open: (installation, how) => open(installation, { io, how }),
    openToRead: (installation) => openToRead(installation, io),
  };
}

/**
 * Loads the connection code only when a command connects. This code is large, and help and usage errors do not need
 * it.
 */
async function open(
  { stack, policy }: InstallationOptions,
  { io, how }: { readonly io: CliIo; readonly how: Connecting | undefined },
): Promise<Connection> {
  if (stack !== undefined) {
    const { connectStack } = await import('./connection/stack-connection.ts');
    return connectStack(stack, io);
  }
  const settings = readLocalSettings([], { ...io.env, ...(policy !== undefined && { POLICY: policy }) });
  const { connectLocal } = await import('./connection/local-connection.ts');
  return connectLocal(settings, how);
}

async function openToRead(installation: InstallationOptions, io: CliIo): Promise<ReadingConnection> {
  const { stack } = installation;
  if (stack === undefined) return open(installation, { io, how: undefined });
  const { connectToRead } = await import('./connection/stack-connection.ts');
  return connectToRead(stack, io);
}
