import { createConfiguration } from '@hubspot/api-client/lib/codegen/crm/objects/configuration.js';
import { ServerConfiguration } from '@hubspot/api-client/lib/codegen/crm/objects/servers.js';
import { createConfiguration as createPropertiesConfiguration } from '@hubspot/api-client/lib/codegen/crm/properties/configuration.js';
import { ServerConfiguration as PropertiesServerConfiguration } from '@hubspot/api-client/lib/codegen/crm/properties/servers.js';
import type { Send } from '#shared/http';
import { type Clock, type Random, SECOND_MS } from '#shared/kernel';
import { API_VERSION } from './api-version.ts';
import { associateContacts, contactsWithCompany } from './associations.ts';
import { completeCallbacks } from './callbacks.ts';
import { createRecord } from './create-record.ts';
import { createDailyWatch, DEFAULT_RESERVE } from './daily-limit.ts';
import { ensureProperties } from './ensure-properties.ts';
import { readAnswer } from './failures.ts';
import { lookUpIds } from './look-up-ids.ts';
import { type Address, plainRequest } from './plain-request.ts';
import { describeProperty, listProperties } from './properties.ts';
import { readBatch, readHistory } from './read-batch.ts';
import { AccountDetailsSchema } from './schemas.ts';
import { createSearchPacing, search, searchAll } from './search.ts';
import { createExchange, type Exchange } from './transport.ts';
import type { AccountDetails, DailyReserve, HubSpotClient } from './types.ts';
import { updateBatch } from './update-batch.ts';

export interface HubSpotClientOptions {
  /** Default: `https://api.hubapi.com`. */
  readonly baseUrl?: string;
  /** Access token of the app, static or OAuth; never the client secret. */
  readonly accessToken: string;
  readonly send: Send;
  readonly clock: Clock;
  readonly random: Random;
  /** Limit for one request with all its attempts and waits. Default: 30 s, enough for two windows of ten seconds. */
  readonly retryForMs?: number;
  /**
   * Shares of the daily limit that stay for the account's other apps. Default: bulk work leaves a tenth, live work a
   * fiftieth.
   */
  readonly dailyReserve?: DailyReserve;
}

/**
 * Creates the adapter to one HubSpot account. The adapter's only state is the account's time zone, the daily limit and
 * the time of the last search.
 */
export function createHubSpotClient(options: HubSpotClientOptions): HubSpotClient {
  const { clock, accessToken, baseUrl = 'https://api.hubapi.com' } = options;
  let details: AccountDetails | undefined;
  const readDetails = async () => {
    // This request is not guarded by the daily watch, because the watch itself needs it.
    details = await accountDetails(unguarded, { baseUrl, accessToken });
    return details;
  };
  const daily = createDailyWatch({
    clock,
    reserve: options.dailyReserve ?? DEFAULT_RESERVE,
    timeZone: async () => (details ?? (await readDetails())).timeZone,
  });
  const unguarded = createExchange({
    ...options,
    // Timeout of one attempt. The official client would wait for five minutes.
    timeoutMs: 10 * SECOND_MS,
    retryForMs: options.retryForMs ?? 30 * SECOND_MS,
    onAnswer: daily.note,
  });
  const exchange = daily.guarded(unguarded);
  // Each generated module has its own class for the same configuration.
  const authMethods = { oauth2: { accessToken } };
  const baseServer = new ServerConfiguration(baseUrl, {});
  const propertiesServer = new PropertiesServerConfiguration(baseUrl, {});
  const configuration = createConfiguration({ authMethods, baseServer });
  const objects = { exchange, configuration, turn: createSearchPacing(clock) };
  const properties = {
    exchange,
    configuration: createPropertiesConfiguration({ authMethods, baseServer: propertiesServer }),
  };
  const associations = { exchange, address: { baseUrl, accessToken } };
  return {
    readBatch: readBatch.bind(null, objects),
    lookUpIds: lookUpIds.bind(null, objects),
    readHistory: readHistory.bind(null, objects),
    createRecord: createRecord.bind(null, objects),
    updateBatch: updateBatch.bind(null, objects),
    search: search.bind(null, objects),
    searchAll: searchAll.bind(null, objects),
    contactsWithCompany: contactsWithCompany.bind(null, associations),
    associateContacts: associateContacts.bind(null, associations),
    completeCallbacks: completeCallbacks.bind(null, associations),
    listProperties: listProperties.bind(null, properties),
    describeProperty: describeProperty.bind(null, properties),
    ensureProperties: ensureProperties.bind(null, properties),
    accountDetails: readDetails,
    dailyLimit: daily.seen,
    pausedUntil: daily.pausedUntil,
  };
}

async function accountDetails(exchange: Exchange, address: Address): Promise<AccountDetails> {
  const request = plainRequest(address, { method: 'GET', path: `/account-info/${API_VERSION}/details` });
  return readAnswer(await exchange(request), AccountDetailsSchema);
}
