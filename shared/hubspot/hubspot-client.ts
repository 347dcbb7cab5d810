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
  const { clock, baseUrl = 'https://api.hubapi.com' } = options;
  let details: AccountDetails | undefined;
  const readDetails = async () => {
    // This request is not guarded by the daily watch, because the watch itself needs it.
    details = await accountDetails(unguarded);
    return details;
  };
  const daily = createDailyWatch({
    clock,
    reserve: options.dailyReserve ?? DEFAULT_RESERVE,
    timeZone: async () => (details ?? (await readDetails())).timeZone,
  });
  const unguarded = createExchange({
    ...options,
    baseUrl,
    timeoutMs: 10 * SECOND_MS,
    retryForMs: options.retryForMs ?? 30 * SECOND_MS,
    onAnswer: daily.note,
  });
  const exchange = daily.guarded(unguarded);
  const searcher = { exchange, turn: createSearchPacing(clock) };
  return {
    readBatch: readBatch.bind(null, exchange),
    lookUpIds: lookUpIds.bind(null, exchange),
    readHistory: readHistory.bind(null, exchange),
    createRecord: createRecord.bind(null, exchange),
    updateBatch: updateBatch.bind(null, exchange),
    search: search.bind(null, searcher),
    searchAll: searchAll.bind(null, searcher),
    contactsWithCompany: contactsWithCompany.bind(null, exchange),
    associateContacts: associateContacts.bind(null, exchange),
    completeCallbacks: completeCallbacks.bind(null, exchange),
    listProperties: listProperties.bind(null, exchange),
    describeProperty: describeProperty.bind(null, exchange),
    ensureProperties: ensureProperties.bind(null, exchange),
    accountDetails: readDetails,
    dailyLimit: daily.seen,
    pausedUntil: daily.pausedUntil,
  };
}

async function accountDetails(exchange: Exchange): Promise<AccountDetails> {
  const request = { method: 'GET', path: `/account-info/${API_VERSION}/details` } as const;
  return readAnswer(await exchange(request), AccountDetailsSchema);
}
