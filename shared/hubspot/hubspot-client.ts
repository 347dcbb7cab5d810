import { createConfiguration } from '@hubspot/api-client/lib/codegen/crm/objects/configuration.js';
import { ServerConfiguration } from '@hubspot/api-client/lib/codegen/crm/objects/servers.js';
import { createConfiguration as createPropertiesConfiguration } from '@hubspot/api-client/lib/codegen/crm/properties/configuration.js';
import { ServerConfiguration as PropertiesServerConfiguration } from '@hubspot/api-client/lib/codegen/crm/properties/servers.js';
import type { HttpResponse, Send } from '../http/http-request.ts';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import { ensureProperties } from './ensure-properties.ts';
import { readAnswer } from './failures.ts';
import { createPropertyGroup, listProperties } from './properties.ts';
import { readBatch } from './read-batch.ts';
import { AccountDetailsSchema } from './schemas.ts';
import { createTurns, search, searchAll } from './search.ts';
import { API_VERSION, createExchange, type Exchange, type GeneratedRequest } from './transport.ts';
import type { AccountDetails, DailyAllowance, HubSpotClient } from './types.ts';
import { updateBatch } from './update-batch.ts';

export interface HubSpotClientOptions {
  /** `https://api.hubapi.com` unless given. */
  readonly baseUrl?: string;
  /** Of the app, static or OAuth; never the client secret. */
  readonly accessToken: string;
  readonly send: Send;
  readonly clock: Clock;
  readonly random: Random;
  /** For one attempt; 10 s unless given: the official client would wait for five minutes. */
  readonly timeoutMs?: number;
  /** For one request with all its attempts and waits; 30 s unless given, which is room for two ten-second windows. */
  readonly retryForMs?: number;
}

/** The adapter to one HubSpot account. Holds no state but the daily allowance last seen and the pace of searches. */
export function createHubSpotClient(options: HubSpotClientOptions): HubSpotClient {
  const { clock, accessToken, baseUrl = 'https://api.hubapi.com' } = options;
  let allowance: DailyAllowance | undefined;
  const exchange = createExchange({
    ...options,
    timeoutMs: options.timeoutMs ?? 10 * SECOND_MS,
    retryForMs: options.retryForMs ?? 30 * SECOND_MS,
    onAnswer: (response) => {
      allowance = allowanceIn(response) ?? allowance;
    },
  });
  const authMethods = { oauth2: { accessToken } };
  const objects = {
    exchange,
    configuration: createConfiguration({ authMethods, baseServer: new ServerConfiguration(baseUrl, {}) }),
    turn: createTurns(clock),
  };
  const properties = {
    exchange,
    configuration: createPropertiesConfiguration({
      authMethods,
      baseServer: new PropertiesServerConfiguration(baseUrl, {}),
    }),
  };
  return {
    readBatch: (request) => readBatch(objects, request),
    updateBatch: (request) => updateBatch(objects, request),
    search: (request) => search(objects, request),
    searchAll: (request) => searchAll(objects, request),
    listProperties: (objectType, { archived = false } = {}) =>
      listProperties(properties, objectType, archived),
    createPropertyGroup: (objectType, group) => createPropertyGroup(properties, objectType, group),
    ensureProperties: (request) => ensureProperties(properties, request),
    accountDetails: () => accountDetails(exchange, { baseUrl, accessToken }),
    dailyAllowance: () => allowance,
  };
}

/** The generated APIs that are imported here have no such call. */
async function accountDetails(
  exchange: Exchange,
  { baseUrl, accessToken }: { readonly baseUrl: string; readonly accessToken: string },
): Promise<AccountDetails> {
  const request: GeneratedRequest = {
    getUrl: () => `${baseUrl}/account-info/${API_VERSION}/details`,
    getHttpMethod: () => 'GET',
    getHeaders: () => ({ Accept: 'application/json', Authorization: `Bearer ${accessToken}` }),
    getBody: () => undefined,
  };
  return readAnswer(await exchange(request), AccountDetailsSchema);
}

function allowanceIn({ headers, receivedAtMs }: HttpResponse): DailyAllowance | undefined {
  const limit = headers['x-hubspot-ratelimit-daily'];
  const remaining = headers['x-hubspot-ratelimit-daily-remaining'];
  if (limit === undefined || remaining === undefined) return undefined;
  if (!/^\d+$/.test(limit) || !/^\d+$/.test(remaining)) return undefined;
  return { limit: Number(limit), remaining: Number(remaining), observedAtMs: receivedAtMs };
}
