import { createHubSpotCrm } from '#shared/crm/adapters';
import type { Policy } from '#shared/field-policy';
import type { Send } from '#shared/http';
import { createHubSpotClient } from '#shared/hubspot/adapters';
import type { Clock, Random } from '#shared/kernel';

export interface CrmSettings {
  readonly hubSpot: { readonly baseUrl?: string | undefined; readonly accessToken: string };
  readonly policy: Pick<Policy, 'hubSpotDailyReserve'>;
  readonly send: Send;
  readonly clock: Clock;
  readonly random: Random;
}

export function createCrm({ hubSpot, policy, send, clock, random }: CrmSettings) {
  const { accessToken, baseUrl } = hubSpot;
  const client = createHubSpotClient({
    accessToken,
    ...(baseUrl && { baseUrl }),
    dailyReserve: policy.hubSpotDailyReserve,
    send,
    clock,
    random,
  });
  return { hubSpot: client, crm: createHubSpotCrm({ client, clock }) };
}
