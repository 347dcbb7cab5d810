import { openApp, type WholeSettings } from '#shared/app';
import { createUndiciSend } from '#shared/http/adapters';
import { type Clock, type NewId, type ReferenceClock, SECOND_MS } from '#shared/kernel';
import { createDigest, systemRandom as random } from '#shared/kernel/adapters';
import { HUBSPOT_URL } from '../../doctor/access-checks.ts';
import type { OwnApp } from '../../doctor/check.ts';
import { observedSend, type Transport } from '../../local/observed-send.ts';
import { readOwnApp } from '../../local/require-access.ts';

type Given = Pick<WholeSettings, 'store' | 'policy' | 'dataService' | 'hubSpot' | 'portalId' | 'logger'> & {
  readonly installationSecret: string;
  readonly ownAppId?: string | undefined;
  /** The clock to compare with; `servers`: the clock of the server that answered last. */
  readonly referenceClock?: ReferenceClock | 'servers' | undefined;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly transport: Transport;
};

export function openTransport(clock: Clock): Transport {
  return createUndiciSend({ clock, connectTimeoutMs: 10 * SECOND_MS });
}

export function openServices(given: Given) {
  const { clock, newId, transport, dataService, logger, ownAppId } = given;
  const { send, serverClocks, serversSeen, referenceClock: servers } = observedSend(transport.send, clock);
  const referenceClock = given.referenceClock === 'servers' ? servers : given.referenceClock;
  const hubSpot = { ...given.hubSpot, baseUrl: given.hubSpot.baseUrl ?? HUBSPOT_URL };
  const services = openApp({
    ...given,
    hubSpot,
    referenceClock,
    digest: createDigest(given.installationSecret),
    send,
    clock,
    random,
    newId,
  });
  let ownAppRead: Promise<OwnApp> | undefined;
  const ownApp = () => {
    ownAppRead ??= readOwnApp({ hubSpot, send }, ownAppId);
    return ownAppRead;
  };
  const outside = { send, ownApp, serverClocks, serversSeen, dataService, hubSpot };
  return { services, ...outside, logger, clock, newId, close: transport.close };
}
