import type { Clock, Logger, NewId } from '#shared/kernel';
import type { HubSpotSite, viewSources } from '#shared/spend';
import type { WholeSite } from '../../doctor/check.ts';
import type { ObservedSend } from '../../local/observed-send.ts';

export interface InstallationOptions {
  /** Name of a deployed stack. Without it, commands work on the installation of this machine. */
  readonly stack?: string;
  /** A policy file other than `infra/policy.ts`. Not allowed for a stack, which has its own policy. */
  readonly policy?: string;
}

/** Discards log entries: a command writes to no stack's log, and not where it may only read. */
export const NO_LOG: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface Connecting {
  /** Allows the command to create the data folder. Without it, a command without a data folder is refused. */
  readonly beginsBooks?: boolean;
}

/** The ledger, the gateway and the services, open while one command runs. */
export interface Connection extends WholeSite {
  /** Whether this is the real data service, not its stand-in. */
  readonly isReal: boolean;
  /** The HubSpot whose pages the links open. */
  readonly hubSpotSite: HubSpotSite;
  /** Both policy files, if the command and the running system use different ones. */
  readonly policies?: { readonly ours: string; readonly running: string };
  /** Records created before this time are enriched only if a person requests it. Epoch milliseconds. */
  readonly installedAtMs: number;
  serverClocks: ObservedSend['serverClocks'];
  serversSeen: ObservedSend['serversSeen'];
  readonly logger: Logger;
  readonly clock: Clock;
  readonly newId: NewId;
  close(): Promise<void>;
}

/** The tables alone: a command that only reads them needs no key, and no permission to read one. */
export interface ReadingConnection
  extends Pick<
    Connection,
    'isReal' | 'hubSpotSite' | 'path' | 'stack' | 'policies' | 'policy' | 'clock' | 'logger' | 'close'
  > {
  readonly services: Parameters<typeof viewSources>[0];
}

/** Names the installation of a command, so that a person does not confuse the stand-ins with the real services. */
export async function installationLine({
  stack,
  isReal,
  path,
  policies,
  services,
}: Pick<ReadingConnection, 'isReal' | 'path' | 'stack' | 'policies'> & {
  readonly services: Pick<ReadingConnection['services'], 'portal'>;
}): Promise<string> {
  const own = policies
    ? `; this command uses the policy ${policies.ours}, the running system uses ${policies.running}`
    : '';
  if (stack) return `stack ${stack.name} (${stack.region})${own}`;
  if (!isReal) return `STAND-INS on this machine (data folder ${path})${own}`;
  const portal = await services.portal.known();
  return `this machine, with real accounts (${portal ? `portal ${portal.portalId}` : 'portal not known before the first start'})${own}`;
}
