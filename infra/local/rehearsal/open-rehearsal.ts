import { API_VERSION } from '#shared/hubspot';
import { type Clock, seededRandom } from '#shared/kernel';
import { systemIds as newId } from '#shared/kernel/adapters';
import { HUBSPOT_URL } from '../../doctor/access-checks.ts';
import { createHubSpotSandbox, type SandboxSettings } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { startReceiver } from '../http-server.ts';
import type { Transport } from '../observed-send.ts';
import type { RehearsalSettings } from '../settings.ts';
import { createManualClock } from '../virtual/manual-clock.ts';
import { createStandInSend } from '../virtual/stand-in-send.ts';
import { type AccountAccess, expectStatus, jsonText, openAccount, partOf } from './account.ts';
import { journalFile, journalInMemory, type Rehearsal } from './rehearse-hubspot.ts';
import { receiveDeliveries } from './stage.ts';

export interface OpenRehearsal {
  readonly rehearsal: Rehearsal;
  readonly isReal: boolean;
  /** The setting whose address replaces HubSpot's own. */
  readonly replacedBy?: 'HUBSPOT_BASE_URL' | undefined;
  /** HubSpot's name of the type: `STANDARD`, `SANDBOX`, `DEVELOPER_TEST`, `APP_DEVELOPER`. */
  readonly accountType: string;
  /** Start of a contact's URL in HubSpot; the contact's id follows. Absent for the stand-in. */
  readonly contactsUrl?: string;
  close(): Promise<void>;
}

/** @throws StepStopped if HubSpot refuses the token */
export async function openRehearsal(
  settings: RehearsalSettings,
  {
    say,
    clock,
    openTransport,
  }: { say: Rehearsal['say']; clock: Clock; openTransport: () => Promise<Transport> },
): Promise<OpenRehearsal> {
  const { hubSpot, webhooks, port, dataFolder } = settings;
  if (!hubSpot) {
    const { rehearsal, end } = standInRehearsal();
    return { rehearsal, isReal: false, accountType: 'stand-in', close: end };
  }
  const { send, close } = await openTransport();
  const { accessToken, baseUrl = HUBSPOT_URL } = hubSpot;
  const access: AccountAccess = { send, clock, baseUrl, accessToken };
  try {
    const { accountId, accountType, contactsUrl } = await accountOf(access);
    const deliveries = webhooks && receiveDeliveries({ clock, ...webhooks });
    const receiver = deliveries && (await startReceiver(port, deliveries.handle));
    const journal = journalFile(dataFolder);
    return {
      rehearsal: { access, accountId, deliveries, journal, newId, say },
      isReal: true,
      replacedBy: hubSpot.baseUrl === undefined ? undefined : 'HUBSPOT_BASE_URL',
      accountType,
      contactsUrl,
      close: async () => {
        await receiver?.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function accountOf(access: AccountAccess) {
  const path = `/account-info/${API_VERSION}/details`;
  const { json } = expectStatus(await openAccount(access).get(path), 200);
  const accountId = String(partOf(json, 'portalId'));
  return {
    accountId,
    accountType: jsonText(json, 'accountType') ?? 'unknown',
    contactsUrl: `https://${jsonText(json, 'uiDomain') ?? 'app.hubspot.com'}/contacts/${accountId}/record/0-1`,
  };
}

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
