import type { FunctionName } from './names.ts';

/** What a permission can be for. `recordsIndex` is the index of the records table, by name. */
export const RESOURCES = [
  'records',
  'recordsIndex',
  'questions',
  'ledger',
  'rateLimiter',
  'urgentQueue',
  'liveQueue',
  'bulkQueue',
  'secret',
] as const;
export type ResourceName = (typeof RESOURCES)[number];

/** By resource, the IAM actions that a function's own code needs. */
export type Permissions = Readonly<Partial<Record<ResourceName, readonly string[]>>>;

const READ = ['dynamodb:GetItem'] as const;
const CHANGE = ['dynamodb:GetItem', 'dynamodb:PutItem'] as const;
const QUERY = ['dynamodb:Query'] as const;
/** A conditional put that lost its race reads the entry in its place. */
const BOOK = ['dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:GetItem'] as const;
const SEND = ['sqs:SendMessage'] as const;
/** What is long already is not made longer. */
const SEND_AND_COUNT = ['sqs:SendMessage', 'sqs:GetQueueAttributes'] as const;
/** Replaced by the SSM action where the secret is a parameter. */
const SECRET = ['secretsmanager:GetSecretValue'] as const;

/**
 * Each function may do what its code does, and nothing else. A test records the calls of each handler's suite
 * and compares them with this table, in both directions.
 */
export const PERMISSIONS: Readonly<Record<FunctionName, Permissions>> = {
  'receive-webhook': { urgentQueue: SEND, liveQueue: SEND, bulkQueue: SEND, secret: SECRET },
  'enrich-records': {
    records: CHANGE,
    questions: CHANGE,
    ledger: BOOK,
    rateLimiter: CHANGE,
    secret: SECRET,
  },
  'refresh-stale': {
    records: CHANGE,
    recordsIndex: QUERY,
    ledger: QUERY,
  },
  reconcile: {
    records: CHANGE,
    recordsIndex: QUERY,
    questions: CHANGE,
    ledger: BOOK,
    rateLimiter: CHANGE,
    urgentQueue: SEND_AND_COUNT,
    liveQueue: SEND_AND_COUNT,
    bulkQueue: SEND_AND_COUNT,
    secret: SECRET,
  },
  'report-spend': { ledger: QUERY, rateLimiter: READ, recordsIndex: QUERY },
};

/** What Lambda itself does on a queue with the worker's role, on its behalf. */
export const EVENT_SOURCE_ACTIONS = [
  'sqs:ReceiveMessage',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
] as const;

/** The one action that reads the secret, by where it is kept. SSM decrypts with its own key for those who may read. */
export const SECRET_ACTIONS = {
  'secrets-manager': 'secretsmanager:GetSecretValue',
  ssm: 'ssm:GetParameter',
} as const;
