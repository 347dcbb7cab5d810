import type { Transport } from '../../local/observed-send.ts';
import { type LocalSettings, readLocalSettings } from '../../local/settings.ts';
import type { CliIo } from '../terminal/terminal.ts';
import type { Connecting, Connection, InstallationOptions, ReadingConnection } from './connection.ts';

/** How commands reach their installation and the services outside. Tests replace it. */
export interface Connections {
  open(installation: InstallationOptions, io: CliIo, how?: Connecting): Promise<Connection>;
  /** Opens the tables without the keys of a stack. */
  openToRead(installation: InstallationOptions, io: CliIo): Promise<ReadingConnection>;
  openTransport(io: CliIo): Promise<Transport>;
}

export function settingsOf({ policy }: InstallationOptions, { env }: Pick<CliIo, 'env'>): LocalSettings {
  return readLocalSettings([], { ...env, ...(policy !== undefined && { POLICY: policy }) });
}

/**
 * Connections to this machine's data folder, or to a deployed stack. The connection code is loaded only when a command
 * connects. This code is large, and help and usage errors do not need it.
 */
export const ownConnections: Connections = {
  open: async (installation, io, how) => {
    const { stack } = installation;
    if (stack !== undefined) {
      const { connectStack } = await import('./stack-connection.ts');
      return connectStack(stack, io);
    }
    const settings = settingsOf(installation, io);
    const { connectLocal } = await import('./local-connection.ts');
    return connectLocal(settings, io, how);
  },
  openToRead: async (installation, io) => {
    const { stack } = installation;
    if (stack === undefined) return ownConnections.open(installation, io);
    const { connectToRead } = await import('./stack-connection.ts');
    return connectToRead(stack, io);
  },
  openTransport: async ({ clock }) => {
    const { openTransport } = await import('./open-services.ts');
    return openTransport(clock);
  },
};
