import type { Services } from '#shared/composition/services.aws.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import type { Send } from '#shared/http/http-request.ts';
import type { Logger } from '#shared/kernel/logger.ts';
import type { ServerClock } from './observed-send.ts';
import type { Queues } from './queues.ts';

/** The books, the gateway and the services behind them, for as long as one command runs. */
export interface Connection {
  readonly services: Services;
  readonly policy: Policy;
  /** Whether the real data service is asked; otherwise its stand-in. */
  readonly isReal: boolean;
  /** Where the books are: a folder, or the name of a stack. */
  readonly path: string;
  /** Whether these are the books of a deployed stack, which others spend from too. */
  readonly isStack: boolean;
  /** How long after its deadline somebody else's request may still be answered. */
  readonly askerGraceMs: number;
  /** Records created before this are left alone unless a person asks. Epoch milliseconds. */
  readonly installedAtMs: number;
  /** Of the HubSpot app, where it is known: tells its own writes from others'. */
  readonly ownAppId?: string | undefined;
  readonly queues: Queues;
  /** Whether somebody takes what is queued; otherwise it waits for the next start. */
  readonly hasWorkers: boolean;
  readonly webhook: Webhook;
  readonly dataService: { readonly baseUrl: string };
  readonly hubSpot: { readonly baseUrl: string; readonly accessToken: string };
  /** One request, as the clients send theirs. */
  readonly send: Send;
  /** The clocks of the servers that have answered in this command. */
  serverClocks(): readonly ServerClock[];
  readonly logger: Logger;
  close(): Promise<void>;
}

export interface Webhook {
  /** Where HubSpot delivers; absent where nothing listens. */
  readonly publicUrl?: string | undefined;
  /** The app's client secret. */
  readonly clientSecret: string;
}
