import type { LocalSettings } from '../../local/settings.ts';
import type { Connection } from './connection.ts';

export interface Wanted {
  readonly settings: LocalSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Name of a deployed stack; without it the books are in the data folder. */
  readonly stack?: string | undefined;
}

/**
 * Connects to the stack that was named, or to the running system of the data folder, or else opens the folder as
 * the running system does.
 * @throws SettingsError while another process has the folder open and is not to be reached.
 */
export async function connect({ settings, env, stack }: Wanted): Promise<Connection> {
  if (stack !== undefined) {
    const { connectStack } = await import('./stack-connection.ts');
    return connectStack(stack, env);
  }
  const { connectLocal } = await import('./local-connection.ts');
  return connectLocal(settings);
}
