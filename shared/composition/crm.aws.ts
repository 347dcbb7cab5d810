import { createHubSpotCrm } from '#shared/crm/crm.hubspot.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import type { Send } from '#shared/http/http-request.ts';
import { createHubSpotClient } from '#shared/hubspot/hubspot-client.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { Random } from '#shared/kernel/random.ts';

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
