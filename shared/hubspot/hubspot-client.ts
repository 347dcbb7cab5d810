import type { Send } from '#shared/http';
import { type Clock, inChunks, type Random, SECOND_MS, UpstreamError } from '#shared/kernel';
import { API_VERSION } from './api-version.ts';
import { readAnswer, requestIdOf, toBatchError } from './failures.ts';
import { describeProperty, ensureProperties, listProperties } from './properties.ts';
import {
  associateContacts,
  batchRequests,
  contactsWithCompany,
  createSearchPacing,
  dated,
  lookUpIds,
  readBatch,
  search,
  searchAll,
  updateBatch,
} from './records.ts';
import { AccountDetailsSchema, BatchAnswerSchema } from './schemas.ts';
import { createDailyWatch, createExchange, DEFAULT_RESERVE, type Exchange } from './transport.ts';
import type {
  AccountDetails,
  ActionCallback,
  CreateRequest,
  DailyReserve,
  HubSpotClient,
  HubSpotObject,
} from './types.ts';

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
  const { clock } = options;
  let details: AccountDetails | undefined;
  const readDetails = async () => {
    // This request is not guarded by the daily watch, because the watch itself needs it.
    const path = `/account-info/${API_VERSION}/details`;
    details = readAnswer(await unguarded({ method: 'GET', path }), AccountDetailsSchema);
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
    timeoutMs: 10 * SECOND_MS,
    retryForMs: options.retryForMs ?? 30 * SECOND_MS,
    onAnswer: daily.note,
  });
  const exchange = daily.guarded(unguarded);
  const searcher = { exchange, turn: createSearchPacing(clock) };
  return {
    readBatch: readBatch.bind(null, exchange),
    lookUpIds: lookUpIds.bind(null, exchange),
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

/** Makes one attempt without retries. If an answer is lost, HubSpot may have created the record. */
async function createRecord(
  exchange: Exchange,
  { objectType, properties, untilMs }: CreateRequest,
): Promise<HubSpotObject> {
  const body = { inputs: [{ properties, associations: [] }] };
  const request = await dated(batchRequests.create(objectType, body));
  const response = await exchange({ ...request, untilMs, once: true });
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
async function completeCallbacks(exchange: Exchange, callbacks: readonly ActionCallback[]): Promise<void> {
  const path = `/automation/actions/callbacks/${API_VERSION}/complete`;
  for (const chunk of inChunks(callbacks, MAX_CALLBACKS)) {
    const inputs = chunk.map(({ callbackId, outputs }) => ({ callbackId, outputFields: outputs }));
    await exchange({ method: 'POST', path, body: JSON.stringify({ inputs }) });
  }
}
