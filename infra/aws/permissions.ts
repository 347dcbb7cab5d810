import type { SecretKey } from '#shared/secrets';
import { INDEXED_TABLES, TABLE_NAMES } from '#shared/store';
import type { FunctionName } from './names.ts';

const QUEUES = ['urgentQueue', 'liveQueue', 'bulkQueue'] as const;

/** Resources that a permission can name: tables, their indexes, queues. */
export const RESOURCES = [
  ...TABLE_NAMES,
  ...INDEXED_TABLES.map((table) => `${table}Index` as const),
  ...QUEUES,
];
type Resource = (typeof RESOURCES)[number];
export type ResourceName = Resource | SecretKey;

/** By resource, the IAM actions that a function's own code needs. */
export type Permissions = Readonly<Partial<Record<Resource, readonly string[]>>>;

const READ = ['dynamodb:BatchGetItem'] as const;
const CHANGE = ['dynamodb:BatchGetItem', 'dynamodb:PutItem'] as const;
const QUERY = ['dynamodb:Query'] as const;
const SEND = ['sqs:SendMessage'] as const;
/** The function reads the message count, to see whether a queue is already long. */
const SEND_AND_COUNT = ['sqs:SendMessage', 'sqs:GetQueueAttributes'] as const;

/**
 * Each function has only the permissions that its code needs. A test records the calls of each handler's suite and
 * compares them with this table, in both directions.
 */
export const PERMISSIONS: Readonly<Record<FunctionName, Permissions>> = {
  'receive-webhook': { urgentQueue: SEND, liveQueue: SEND, bulkQueue: SEND },
  'enrich-records': {
    records: CHANGE,
    // For waiting records that a person admits.
    recordsIndex: QUERY,
    questions: CHANGE,
    ledger: CHANGE,
    rateLimiter: CHANGE,
    suppression: CHANGE,
  },
  'refresh-stale': {
    records: CHANGE,
    recordsIndex: QUERY,
    ledger: READ,
  },
  reconcile: {
    records: CHANGE,
    recordsIndex: QUERY,
    questions: CHANGE,
    // For open doubts, and for ended doubts that are perhaps not booked yet.
    questionsIndex: QUERY,
    ledger: CHANGE,
    rateLimiter: CHANGE,
    suppression: CHANGE,
    urgentQueue: SEND_AND_COUNT,
    liveQueue: SEND_AND_COUNT,
    bulkQueue: SEND_AND_COUNT,
  },
  'report-spend': {
    ledger: READ,
    rateLimiter: READ,
    records: READ,
    recordsIndex: QUERY,
    // For doubts that were booked as charged.
    questions: READ,
    questionsIndex: QUERY,
  },
  'serve-hubspot': { records: CHANGE, rateLimiter: READ, urgentQueue: SEND, bulkQueue: SEND },
};

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
