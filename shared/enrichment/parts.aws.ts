import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type CreditLedger, createLedger } from '../credit-ledger/ledger.ts';
import { createDynamoLedgerStore } from '../credit-ledger/store.dynamo.ts';
import { createDataServiceClient } from '../data-service/client.ts';
import type { Policy } from '../field-policy/policy.ts';
import type { Send } from '../http/http-request.ts';
import { createHubSpotClient } from '../hubspot/hubspot-client.ts';
import type { Clock } from '../kernel/clock.ts';
import { createDigest } from '../kernel/digest.system.ts';
import type { Digest } from '../kernel/digest.ts';
import type { NewId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { brotliPacking } from '../kernel/packing.system.ts';
import type { Random } from '../kernel/random.ts';
import { createForgetting } from '../privacy/forget-person.ts';
import { createTombstones } from '../privacy/tombstones.ts';
import { createBreakers } from '../questions/breakers.ts';
import { questionExpiry } from '../questions/expiry.ts';
import { createAskGateway } from '../questions/gateway.ts';
import type { GatewayDeps, GatewayPolicy } from '../questions/gateway-deps.ts';
import { createKeyCheck, createPaidCalls } from '../questions/paid-calls.data-service.ts';
import { breakerStateSchema, questionItemSchema, sideItemSchema } from '../questions/schemas.ts';
import { sideItemExpiry } from '../questions/side-item.ts';
import { createRateGovernor } from '../rate-governor/governor.ts';
import { storedGovernorSchema } from '../rate-governor/schemas.ts';
import { createHubSpotCrm } from '../records/crm.hubspot.ts';
import { createJournal, journalExpiry } from '../records/journal.ts';
import { journalPlace } from '../records/journal-entry.ts';
import { createOwnPortal } from '../records/own-portal.ts';
import { recordPlace } from '../records/record-state.ts';
import {
  journalEntrySchema,
  pinnedPortalSchema,
  recordStateSchema,
  sweepCursorSchema,
} from '../records/schemas.ts';
import { spendHeadSchema, spendMonthSchema } from '../spend/schemas.ts';
import { createSpendBook } from '../spend/spend-book.ts';
import { createDynamoItems } from '../versioned-items/store.dynamo.ts';
import { gatewayPolicy } from './gateway-policy.ts';

export interface PartsSettings {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: {
    readonly records: string;
    readonly questions: string;
    readonly ledger: string;
    readonly governor: string;
  };
  /** The name under which the books of the data service's workspace are kept, whichever of its keys is in use. */
  readonly account: string;
  readonly installationSecret: string;
  readonly policy: Policy;
  readonly dataService: { readonly baseUrl: string; readonly apiKey: string };
  readonly hubSpot: {
    readonly baseUrl?: string;
    readonly accessToken: string;
    /** The account that we work for; learned at the first start unless given. */
    readonly portalId?: string | undefined;
  };
  readonly send: Send;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
  readonly logger: Logger;
  /** How long one request to the data service may take; as everywhere unless given. */
  readonly requestTimeoutMs?: number | undefined;
  /** After this another worker may take an unsent question over; as everywhere unless given. */
  readonly leaseMs?: number | undefined;
}

export type Parts = ReturnType<typeof createParts>;

/** Everything behind the handlers, over DynamoDB, the data service and HubSpot. Nothing is opened or called yet. */
export function createParts(settings: PartsSettings) {
  const { dynamo: client, tables, account, clock, random, send } = settings;
  const digest = createDigest(settings.installationSecret);
  const dailyReserve = settings.policy.hubSpotDailyReserve;
  const hubSpot = createHubSpotClient({ ...settings.hubSpot, dailyReserve, send, clock, random });
  const ledgerStore = createDynamoLedgerStore({ client, tableName: tables.ledger });
  const { budgets, timeZone } = settings.policy;
  const ledger = createLedger({ store: ledgerStore, account, clock, random, digest, budgets, timeZone });
  const asking = createAsking(settings, { digest, ledger });
  const records = createDynamoItems({
    ...stored(settings, { tableName: tables.records, schema: recordStateSchema }),
    indexPosition: recordPlace,
  });
  const journal = createJournal({
    items: createDynamoItems({
      ...stored(settings, { tableName: tables.records, schema: journalEntrySchema }),
      indexPosition: journalPlace,
      expiresAtMs: journalExpiry({ keepDays: settings.policy.journalDays }),
    }),
  });
  return {
    ...asking,
    digest,
    hubSpot,
    ledgerStore,
    ledger,
    gateway: createAskGateway(asking.questions),
    crm: createHubSpotCrm({ client: hubSpot, clock }),
    records,
    journal,
    forgetting: createForgetting({ ...asking.questions, records, journal }),
    spendBook: createSpendBook({
      items: createDynamoItems(stored(settings, { tableName: tables.governor, schema: spendMonthSchema })),
      heads: createDynamoItems(stored(settings, { tableName: tables.governor, schema: spendHeadSchema })),
      store: ledgerStore,
      account,
    }),
    cursors: createDynamoItems(stored(settings, { tableName: tables.governor, schema: sweepCursorSchema })),
    portal: createOwnPortal({
      items: createDynamoItems(stored(settings, { tableName: tables.governor, schema: pinnedPortalSchema })),
      configured: settings.hubSpot.portalId,
      account: hubSpot.accountDetails,
    }),
  };
}

/** What the ask gateway stands on: the client, the rate, the breakers, the questions. */
function createAsking(settings: PartsSettings, { digest, ledger }: { digest: Digest; ledger: CreditLedger }) {
  const { tables, account, clock, random, logger, send } = settings;
  const policy = askingPolicy(settings);
  const { requestTimeoutMs } = policy;
  const dataService = createDataServiceClient({
    ...settings.dataService,
    send,
    timeoutMs: requestTimeoutMs,
    clock,
    random,
    onDrift: ({ operation, field }) => logger.warn('schema-drift', { operation, drift: field }),
  });
  const governor = createRateGovernor({
    items: createDynamoItems(stored(settings, { tableName: tables.governor, schema: storedGovernorSchema })),
    worker: settings.newId(),
    account,
    clock,
    random,
  });
  const breakers = createBreakers({
    items: createDynamoItems(stored(settings, { tableName: tables.governor, schema: breakerStateSchema })),
    account,
    keyCheck: createKeyCheck({ client: dataService, clock }),
    governor,
    clock,
    requestTimeoutMs,
  });
  const sideItems = createDynamoItems({
    ...stored(settings, { tableName: tables.questions, schema: sideItemSchema }),
    expiresAtMs: sideItemExpiry,
  });
  const questions: GatewayDeps = {
    items: createDynamoItems({
      ...stored(settings, { tableName: tables.questions, schema: questionItemSchema }),
      expiresAtMs: questionExpiry,
    }),
    sideItems,
    tombstones: createTombstones(sideItems),
    ledger,
    governor,
    calls: createPaidCalls({ client: dataService, clock }),
    breakers,
    clock,
    digest,
    packing: brotliPacking,
    policy,
  };
  return { dataService, governor, breakers, questions };
}

function askingPolicy({ policy, requestTimeoutMs, leaseMs }: PartsSettings): GatewayPolicy {
  return {
    ...gatewayPolicy(policy),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(leaseMs !== undefined && { leaseMs }),
  };
}

function stored<V>(
  { dynamo: client, newId }: PartsSettings,
  { tableName, schema }: { tableName: string; schema: { parse(value: unknown): V } },
) {
  return { client, tableName, newId, parse: (value: unknown) => schema.parse(value) };
}
