import { SHOWN_KINDS } from '#shared/app';
import { ledgerEntryKind, ledgerHeadKind } from '#shared/credit-ledger';
import { homeKind } from '#shared/home';
import { breakersKind, questionKind } from '#shared/questions';
import { dayKind, journalKind, recordKind, statusKind } from '#shared/records';
import { requestKind } from '#shared/requests';
import { previewKind, reviewKind } from '#shared/review';
import type { SecretKey } from '#shared/secrets';
import { spendMonthKind } from '#shared/spend';
import { OWNERS, type Scope, storedKey, TABLE_NAMES, type TableName } from '#shared/store';
import type { FunctionName } from './names.ts';

interface KeysOfKind {
  readonly prefix: string;
  readonly scope: Scope;
  readonly table: TableName;
  /** Patterns of the keys that the function may name; absent for all keys of the kind. */
  readonly keys?: readonly string[];
}

type Kinds = 'all' | readonly KeysOfKind[];

/** Items that a function reads, writes, and finds by the index. */
interface StoreUse {
  readonly read?: Kinds;
  readonly write?: Kinds;
  readonly list?: Kinds;
  /** Tables whose items a transaction checks without a write: the suppression list; breakers and backfills. */
  readonly check?: readonly TableName[];
}

/** The parts of the status that the spend page shows. Others hold ids of contacts. */
const shownStatus = { ...statusKind, keys: ['portal', 'waiting', 'spend#*', 'write-breaker#*'] };
/** Reported wrong matches have the same kind, but only the worker stores them. */
const requestsOfPeople = { ...requestKind, keys: ['request#*', 'action#*'] };

const EVERYTHING: StoreUse = { read: 'all', write: 'all', list: 'all' };

/**
 * The stored kinds that each function uses. Only the worker and the sweep see all kinds, and so all that is stored about
 * people. A test records the calls of each handler's suite and compares them with this table, in both directions.
 */
const STORE_USE: Readonly<Record<FunctionName, StoreUse>> = {
  'receive-webhook': {},
  'enrich-records': { ...EVERYTHING, check: ['proof', 'state'] },
  'refresh-stale': { read: [recordKind, ledgerHeadKind], write: [recordKind], list: [recordKind] },
  reconcile: { ...EVERYTHING, check: ['proof'] },
  'report-spend': {
    read: [
      ledgerHeadKind,
      ledgerEntryKind,
      spendMonthKind,
      dayKind,
      ...SHOWN_KINDS,
      questionKind,
      shownStatus,
      breakersKind,
    ],
    list: [...SHOWN_KINDS, recordKind, questionKind],
  },
  'serve-hubspot': {
    read: [
      recordKind,
      journalKind,
      reviewKind,
      previewKind,
      requestsOfPeople,
      homeKind,
      ...SHOWN_KINDS,
      breakersKind,
      { ...statusKind, keys: ['portal'] },
    ],
    write: [requestsOfPeople],
  },
};

const QUEUES = ['urgentQueue', 'liveQueue', 'bulkQueue'] as const;
type Queue = (typeof QUEUES)[number];

const SEND = ['sqs:SendMessage'] as const;
/** The function reads the message count, to see whether a queue is already long. */
const SEND_AND_COUNT = ['sqs:SendMessage', 'sqs:GetQueueAttributes'] as const;

const QUEUE_USE: Readonly<Record<FunctionName, Readonly<Partial<Record<Queue, readonly string[]>>>>> = {
  'receive-webhook': { urgentQueue: SEND, liveQueue: SEND, bulkQueue: SEND },
  'enrich-records': {},
  'refresh-stale': {},
  reconcile: { urgentQueue: SEND_AND_COUNT, liveQueue: SEND_AND_COUNT, bulkQueue: SEND_AND_COUNT },
  'report-spend': {},
  'serve-hubspot': { urgentQueue: SEND, bulkQueue: SEND },
};

export type ResourceName = TableName | 'stateIndex' | Queue | SecretKey;

export interface Permission {
  readonly actions: readonly string[];
  readonly resource: ResourceName;
  /** Patterns of the only keys, or partitions of the index, that the function may name. */
  readonly keys?: readonly string[];
}

/** The permissions that a function's own code needs, without its secrets. */
export function permissionsOf(name: FunctionName): readonly Permission[] {
  const { read = [], write = [], list = [], check = [] } = STORE_USE[name];
  return [
    ...TABLE_NAMES.flatMap((table) => [
      ...onItems('dynamodb:BatchGetItem', { kinds: read, table }),
      ...onItems('dynamodb:PutItem', { kinds: write, table }),
    ]),
    ...check.map((resource) => ({ actions: ['dynamodb:ConditionCheckItem'], resource })),
    ...onItems('dynamodb:Query', { kinds: list, table: 'state', resource: 'stateIndex' }),
    ...QUEUES.flatMap((resource) => {
      const actions = QUEUE_USE[name][resource];
      return actions ? [{ actions, resource }] : [];
    }),
  ];
}

function onItems(
  action: string,
  { kinds, table, resource = table }: { kinds: Kinds; table: TableName; resource?: ResourceName },
): Permission[] {
  const permission = { actions: [action], resource };
  if (kinds === 'all') return [permission];
  const keys = kinds
    .filter((each) => each.table === table)
    .flatMap((each) => (each.keys ?? ['*']).map((key) => storedKey(OWNERS, each, key)));
  return keys.length === 0 ? [] : [{ ...permission, keys }];
}

/**
 * The keys that each function reads. Functions that the internet can reach have neither the vendor's key nor the hash
 * key.
 */
export const SECRETS_OF: Readonly<Record<FunctionName, readonly SecretKey[]>> = {
  'receive-webhook': ['hubSpotClientSecret'],
  'enrich-records': ['dataServiceApiKey', 'hubSpotAccessToken', 'installationSecret'],
  'refresh-stale': [],
  reconcile: ['hubSpotAccessToken', 'alertWebhookUrl', 'installationSecret'],
  'report-spend': [],
  'serve-hubspot': ['hubSpotClientSecret', 'hubSpotAccessToken'],
};

/** Actions on a queue that the Lambda service itself performs with the worker's role. */
export const EVENT_SOURCE_ACTIONS = [
  'sqs:ReceiveMessage',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
] as const;

/** Actions on your own key that are needed to read and write encrypted tables and secrets. */
export const KEY_ACTIONS = ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:DescribeKey'] as const;

/** The action that reads a secret. SSM decrypts with its own key for every role that may read. */
export const SECRET_ACTION = 'ssm:GetParameter';
