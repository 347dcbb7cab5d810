import { BatchApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/objects/apis/BatchApi.js';
import { createConfiguration } from '@hubspot/api-client/lib/codegen/crm/objects/configuration.js';
import { ServerConfiguration } from '@hubspot/api-client/lib/codegen/crm/objects/servers.js';
import { createConfiguration as createPropertiesConfiguration } from '@hubspot/api-client/lib/codegen/crm/properties/configuration.js';
import { ServerConfiguration as PropertiesServerConfiguration } from '@hubspot/api-client/lib/codegen/crm/properties/servers.js';
import type { Send } from '#shared/http';
import { type Clock, inChunks, type Random, SECOND_MS, UpstreamError } from '#shared/kernel';
import { API_VERSION } from './api-version.ts';
import { associateContacts, contactsWithCompany } from './associations.ts';
import { createDailyWatch, DEFAULT_RESERVE } from './daily-limit.ts';
import { ensureProperties } from './ensure-properties.ts';
import { readAnswer, requestIdOf, toBatchError } from './failures.ts';
import { describeProperty, listProperties } from './properties.ts';
import { type BatchReader, lookUpIds, readBatch, readHistory } from './read-batch.ts';
import { AccountDetailsSchema, BatchAnswerSchema } from './schemas.ts';
import { createSearchPacing, search, searchAll } from './search.ts';
import { type Address, createExchange, type Exchange, plainRequest } from './transport.ts';
import type {
  AccountDetails,
  ActionCallback,
  CreateRequest,
  DailyReserve,
  HubSpotClient,
  HubSpotObject,
} from './types.ts';
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

/** Makes one attempt without retries. If an answer is lost, HubSpot may have created the record. */
async function createRecord(
  { exchange, configuration }: BatchReader,
  { objectType, properties, ...limits }: CreateRequest,
): Promise<HubSpotObject> {
  const generated = await new BatchApiRequestFactory(configuration).create(objectType, {
    inputs: [{ properties: { ...properties }, associations: [] }],
  });
  const response = await exchange(generated, { ...limits, once: true });
  const { results, errors, unreadable } = readAnswer(response, BatchAnswerSchema);
  const [created] = results;
  if (created) return created;
  const [error] = errors.map((each) => toBatchError(each, requestIdOf(response, each)));
  throw new UpstreamError({
    code: error && unreadable === 0 ? 'HUBSPOT_INVALID_REQUEST' : 'HUBSPOT_UNREADABLE_ANSWER',
    message: `HubSpot created no record: ${error?.reason ?? 'the answer gives no reason'}.`,
    retryable: error?.retryable ?? true,
    status: response.status,
    requestId: error?.correlationId,
  });
}

/** The limit of HubSpot's other batches. HubSpot publishes no limit for "Complete a batch of callbacks". */
const MAX_CALLBACKS = 100;

/**
 * Reports the results of executions in a workflow action to HubSpot. Safe to repeat, because HubSpot ignores an
 * execution that has ended.
 * @throws UpstreamError `HUBSPOT_*` or `HTTP_*`. Batches before the failed one are reported.
 */
async function completeCallbacks(
  { exchange, address }: { readonly exchange: Exchange; readonly address: Address },
  callbacks: readonly ActionCallback[],
): Promise<void> {
  const path = `/automation/actions/callbacks/${API_VERSION}/complete`;
  for (const chunk of inChunks(callbacks, MAX_CALLBACKS)) {
    const inputs = chunk.map(({ callbackId, outputs }) => ({ callbackId, outputFields: outputs }));
    await exchange(plainRequest(address, { method: 'POST', path, body: { inputs } }));
  }
}
