import { API_VERSION } from '#shared/hubspot';
import type { Clock } from '#shared/kernel';
import { systemIds as newId } from '#shared/kernel/adapters';
import { HUBSPOT_URL } from '../doctor/access-checks.ts';
import { startReceiver } from '../http-server.ts';
import type { Transport } from '../observed-send.ts';
import type { RehearsalSettings } from '../settings.ts';
import { type AccountAccess, expectStatus, openAccount } from './account.ts';
import { receiveDeliveries } from './deliveries.ts';
import { journalFile } from './journal-file.ts';
import { jsonText, partOf } from './json-parts.ts';
import { standInRehearsal } from './on-stand-in.ts';
import type { Rehearsal } from './rehearse-hubspot.ts';

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

interface RehearsalSurroundings {
  readonly say: Rehearsal['say'];
  readonly clock: Clock;
  readonly openTransport: () => Promise<Transport>;
}

/** @throws StepStopped if HubSpot refuses the token */
export async function openRehearsal(
  settings: RehearsalSettings,
  { say, clock, openTransport }: RehearsalSurroundings,
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
