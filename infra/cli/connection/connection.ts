import type { Clock, Logger, NewId } from '#shared/kernel';
import type { viewSources } from '#shared/spend';
import type { WholeSite } from '../../local/doctor/site.ts';
import type { ServerSeen } from '../../local/observed-send.ts';

export interface Connecting {
  /** Creates the data folder where there is none; without it the command is refused there. */
  readonly beginsBooks?: boolean;
}

/** The books, the gateway and the services behind them, for as long as one command runs. */
export interface Connection extends WholeSite {
  /** Whether the real data service is asked; otherwise its stand-in. */
  readonly isReal: boolean;
  /** Where a command uses another policy file than the running system: both. */
  readonly policies?: { readonly ours: string; readonly running: string };
  /** How long after its deadline another program's request may still be answered. */
  readonly askerGraceMs: number;
  /** Records created before this are left alone unless a person asks. Epoch milliseconds. */
  readonly installedAtMs: number;
  /** The clocks and rates of the servers that have answered in this command. */
  serverClocks(): readonly ServerSeen[];
  readonly logger: Logger;
  readonly clock: Clock;
  readonly newId: NewId;
  close(): Promise<void>;
}

/** The tables alone: a command that only reads them needs no key, and no permission to read one. */
export interface ReadingConnection
  extends Pick<
    Connection,
    'isReal' | 'path' | 'stack' | 'policies' | 'policy' | 'clock' | 'logger' | 'close'
  > {
  readonly services: Parameters<typeof viewSources>[0];
}
