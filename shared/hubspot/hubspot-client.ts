import type { Send } from '#shared/http/http-request.ts';
import { type Clock, SECOND_MS } from '#shared/kernel/clock.ts';
import type { Random } from '#shared/kernel/random.ts';
import { associateContacts, contactsWithCompany } from './associations.ts';
import { completeCallbacks } from './callbacks.ts';
import { createRecord } from './create-record.ts';
import { createDailyWatch, DEFAULT_RESERVE } from './daily-limit.ts';
import { ensureProperties } from './ensure-properties.ts';
import { readAnswer } from './failures.ts';
import { listProperties } from './properties.ts';
import { readBatch, readHistory } from './read-batch.ts';
import { AccountDetailsSchema } from './schemas.ts';
import { createTurns, search, searchAll } from './search.ts';
import { API_VERSION, createExchange, type Exchange } from './transport.ts';
import type { AccountDetails, DailyReserve, HubSpotClient } from './types.ts';
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
  /** Shares of the daily limit left to the account's other apps: a tenth by bulk work and a fiftieth by live unless given. */
  readonly dailyReserve?: DailyReserve;
}

/** The adapter to one HubSpot account. Holds no state but what it last heard of the daily limit and the pace of searches. */
export function createHubSpotClient(options: HubSpotClientOptions): HubSpotClient {
  const { clock } = options;
  let details: AccountDetails | undefined;
  const readDetails = async () => {
    // Not behind the daily watch, which itself asks for them.
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
    baseUrl: options.baseUrl ?? 'https://api.hubapi.com',
    timeoutMs: options.timeoutMs ?? 10 * SECOND_MS,
    retryForMs: options.retryForMs ?? 30 * SECOND_MS,
    onAnswer: daily.note,
  });
  const exchange = daily.guarded(unguarded);
  const searcher = { exchange, turn: createTurns(clock) };
  return {
    readBatch: readBatch.bind(null, exchange),
    readHistory: readHistory.bind(null, exchange),
    createRecord: createRecord.bind(null, exchange),
    updateBatch: updateBatch.bind(null, exchange),
    search: search.bind(null, searcher),
    searchAll: searchAll.bind(null, searcher),
    contactsWithCompany: contactsWithCompany.bind(null, exchange),
    associateContacts: associateContacts.bind(null, exchange),
    completeCallbacks: completeCallbacks.bind(null, exchange),
    listProperties: listProperties.bind(null, exchange),
    ensureProperties: ensureProperties.bind(null, exchange),
    accountDetails: readDetails,
    dailyLimit: daily.seen,
    pausedUntil: daily.pausedUntil,
  };
}

async function accountDetails(exchange: Exchange): Promise<AccountDetails> {
  const path = `/account-info/${API_VERSION}/details`;
  return readAnswer(await exchange({ method: 'GET', path }), AccountDetailsSchema);
}
