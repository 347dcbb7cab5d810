import { seededRandom } from '#shared/kernel';
import { createHubSpotSandbox, type SandboxSettings } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createManualClock } from '../virtual/manual-clock.ts';
import { createStandInSend } from '../virtual/stand-in-send.ts';
import { receiveDeliveries } from './deliveries.ts';
import { journalInMemory } from './journal-file.ts';
import type { Rehearsal } from './rehearse-hubspot.ts';

const HOST = 'hubspot.example';
const WEBHOOK_URL = 'https://rehearsal.example/hubspot';
const TOKEN = 'sandbox-token';
const CLIENT_SECRET = 'sandbox-client-secret';

/** Opens a rehearsal on a new stand-in in virtual time, in which half an hour takes seconds. */
export function standInRehearsal(settings: Partial<SandboxSettings> = {}, startMs = Date.UTC(2026, 10, 23)) {
  const clock = createManualClock({ startMs, autoAdvance: true });
  const random = seededRandom(7);
  const deliveries = receiveDeliveries({ clock, publicUrl: WEBHOOK_URL, clientSecret: CLIENT_SECRET });
  const sandbox = createHubSpotSandbox({
    clock,
    random,
    settings: { webhookUrl: WEBHOOK_URL, ...settings },
    send: deliveries.handle,
  });
  const ended = new AbortController();
  const webhooks = sandbox.startWebhooks(ended.signal);
  let ids = 0;
  const rehearsal: Rehearsal = {
    access: {
      send: createStandInSend({ clock, hosts: { [HOST]: sandbox.handle } }),
      clock,
      baseUrl: `https://${HOST}`,
      accessToken: TOKEN,
    },
    accountId: String(settings.portalId ?? 24_170_001),
    deliveries,
    askPerson: async (id) => {
      const body = JSON.stringify({ objectType: 'contact', id, properties: { firstname: 'Changed' } });
      const verb = new Request(`https://${HOST}/_sandbox/edit`, { method: 'POST', body });
      const answer = await sandbox.handle(verb);
      if (!answer.ok) throw new Error('The person of the stand-in could not change the record.');
    },
    journal: journalInMemory(),
    newId: () => `standin-${++ids}`,
    say: () => undefined,
  };
  return {
    sandbox,
    rehearsal,
    end: async () => {
      ended.abort();
      await webhooks;
    },
  };
}
