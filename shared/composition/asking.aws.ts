import type { CreditLedger } from '#shared/credit-ledger';
import { createDataServiceClient } from '#shared/data-service/adapters';
import type { Policy } from '#shared/field-policy';
import type { Send } from '#shared/http';
import type { Logger, Random, ReferenceClock } from '#shared/kernel';
import { type Metrics, meterCalls, meterGateway } from '#shared/metrics';
import {
  createAskGateway,
  createBreakers,
  createMissCount,
  type GatewayPolicy,
  type GatewayServices,
  type SweptQuestions,
} from '#shared/questions';
import {
  createBreakerItems,
  createKeyCheck,
  createPaidCalls,
  createQuestions,
  createUnknownMisses,
  type QuestionsSettings,
} from '#shared/questions/adapters';
import { createRateLimiter, rateLimiterKind } from '#shared/rate-limiter';
import { openItems, type Storage } from '#shared/store';
import { gatewayPolicy } from './gateway-policy.ts';

export interface AskingSettings extends Omit<QuestionsSettings, 'tables'>, Storage {
  readonly policy: Policy;
  readonly dataService: { readonly baseUrl: string; readonly apiKey: string };
  readonly send: Send;
  readonly random: Random;
  readonly logger: Logger;
  /** If absent, no metrics are emitted. */
  readonly metrics?: Metrics;
  /** If absent, this machine's clock is trusted. */
  readonly referenceClock?: ReferenceClock | undefined;
  /** Time limit of one request to the data service. If absent, the default. */
  readonly requestTimeoutMs?: number | undefined;
}

/**
 * Length of a nonce: the first characters of an id. Nonces of the same millisecond must differ. They are short, because
 * the rate limiter's item stores them.
 */
const NONCE_CHARS = 13;

/** Creates the ask gateway and its parts: questions, client, rate limiter, breakers. */
export function createAsking(settings: AskingSettings, ledger: CreditLedger) {
  const { clock, referenceClock, metrics } = settings;
  const { apiKey, baseUrl } = settings.dataService;
  const policy = askingPolicy(settings);
  const misses = createMissCount({ items: createUnknownMisses(settings), clock });
  const dataService = createClient({ ...settings, onUnknownMiss: misses.see }, policy);
  const rateLimiter = createSharedRate(settings);
  const breakers = createBreakers({
    items: createBreakerItems(settings),
    keyHash: settings.digest.keyed(`api-key ${apiKey} ${baseUrl}`),
    keyCheck: createKeyCheck({ client: dataService, clock }),
    rateLimiter,
    clock,
    requestTimeoutMs: policy.requestTimeoutMs,
    testCreditsPerHour: policy.testCreditsPerHour,
  });
  const calls = createPaidCalls({ client: dataService, clock });
  const questions: GatewayServices & SweptQuestions = {
    ...createQuestions(settings),
    ledger,
    rateLimiter,
    calls: metrics ? meterCalls(calls, metrics) : calls,
    breakers,
    referenceClock,
    newNonce: () => settings.newId().slice(0, NONCE_CHARS),
    policy,
  };
  const gateway = misses.counting(createAskGateway(questions));
  return {
    dataService,
    rateLimiter,
    breakers,
    questions,
    gateway: metrics ? meterGateway(gateway, { metrics, clock }) : gateway,
  };
}

function createClient(
  settings: AskingSettings & { onUnknownMiss: (words: string) => void },
  { requestTimeoutMs: timeoutMs }: GatewayPolicy,
) {
  const { dataService, send, clock, random, logger, onUnknownMiss } = settings;
  return createDataServiceClient({
    ...dataService,
    send,
    timeoutMs,
    clock,
    random,
    onUnknownMiss,
    onDrift: ({ operation, field }) => logger.warn('schema-drift', { operation, drift: field }),
  });
}

function createSharedRate(settings: AskingSettings) {
  const { clock, random } = settings;
  const items = openItems(settings, rateLimiterKind);
  return createRateLimiter({
    items,
    worker: settings.newId().slice(0, NONCE_CHARS),
    clock,
    random,
  });
}

function askingPolicy({ policy, requestTimeoutMs }: AskingSettings): GatewayPolicy {
  return {
    ...gatewayPolicy(policy),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
  };
}
