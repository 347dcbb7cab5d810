import { OBJECT_TYPES } from '#shared/crm';
import { createHubSpotClient } from '#shared/hubspot/adapters';
import { seededRandom } from '#shared/kernel';
import { ensureEnrichmentProperties } from '../../infra/local/prepare-properties.ts';
import { createStandInSend } from '../../infra/local/virtual/stand-in-send.ts';
import { createHubSpotSandbox } from '../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { createManualClock } from './manual-clock.ts';

let prepared: Promise<unknown> | undefined;

/** The state of a portal with our properties. It is made once, and every world starts from it. */
export function preparedPortal(startMs: number): Promise<unknown> {
  prepared ??= prepare(startMs);
  return prepared;
}

async function prepare(startMs: number): Promise<unknown> {
  const clock = createManualClock({ startMs, autoAdvance: true });
  const random = seededRandom(1);
  const sandbox = createHubSpotSandbox({ clock, random });
  const send = createStandInSend({ clock, hosts: { 'hubspot.example': sandbox.handle } });
  const client = createHubSpotClient({
    baseUrl: 'https://hubspot.example',
    accessToken: 'sandbox-token',
    send,
    clock,
    random,
  });
  for (const objectType of OBJECT_TYPES) await ensureEnrichmentProperties(client, { objectType });
  return sandbox.state();
}
