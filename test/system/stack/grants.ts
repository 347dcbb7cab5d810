import type { Template } from 'aws-cdk-lib/assertions';
import { ITEM_TABLE } from '#shared/store';
import type { FunctionName } from '../../../infra/aws/names.ts';
import type { AwsCall } from '../../harness/aws-gate.ts';
import { logicalIdOf } from './deployed-functions.ts';
import { LOGICAL_IDS } from './installation.ts';
import { resourcesOf } from './synthesised.ts';

/** Permissions, one line each: `dynamodb:GetItem crm-enrichment-ledger`. */
export interface Compared {
  readonly granted: readonly string[];
  /** By the function's code. */
  readonly used: readonly string[];
  /** By Lambda itself with the function's role: for its log, and on the queues that it reads for it. */
  readonly usedByLambda: readonly string[];
}

/** Nothing missing, nothing too many. */
export const EXACT = { missing: [], neverUsed: [] } as const;

export function difference({ granted, used, usedByLambda }: Compared) {
  const needed = new Set([...used, ...usedByLambda]);
  return {
    missing: [...needed].filter((line) => !granted.includes(line)).sort(),
    neverUsed: granted.filter((line) => !needed.has(line)),
  };
}

/** What the template grants to a function, and what was seen of its use. */
export function comparedOf(template: Template, name: FunctionName, calls: readonly AwsCall[]): Compared {
  const id = logicalIdOf(name);
  const allowed = granted(template, `${id}Role`);
  const own = calls.filter(({ caller }) => caller === name);
  return {
    granted: allowed,
    used: [...new Set(own.map((call) => (SEES_ALL.has(name) ? lineOf(call) : lineOfKey(call, allowed))))],
    usedByLambda: [...logging(id), ...polling(template, id)],
  };
}

/** The functions that may name every key. */
const SEES_ALL: ReadonlySet<FunctionName> = new Set(['enrich-records', 'reconcile']);

/** The pattern that allows the call, or else its key: `dynamodb:PutItem crm-enrichment-state portal-1#record#*`. */
function lineOfKey(call: AwsCall, allowed: readonly string[]): string {
  if (call.leadingKey === undefined) return lineOf(call);
  const line = `${lineOf(call)} ${call.leadingKey}`;
  return allowed.find((each) => isWithin(line, each)) ?? line;
}

/** A pattern has its only asterisk at the end. */
function isWithin(line: string, pattern: string): boolean {
  return pattern.endsWith('*') ? line.startsWith(pattern.slice(0, -1)) : line === pattern;
}

function lineOf({ action, resource }: AwsCall): string {
  const [table = '', index] = resource.split('/index/');
  const id = LOGICAL_IDS[table] ?? resource;
  if (index === undefined) return `${action} ${id}`;
  return index === ITEM_TABLE.indexName ? `${action} ${id}/index` : `${action} ${id}/index/${index}`;
}

/** Lambda documentation, "Sending Lambda function logs to CloudWatch Logs"; the group is made by the stack. */
function logging(id: string): string[] {
  return ['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) => `${action} ${id}Logs`);
}

/** Lambda documentation, "Creating and configuring an Amazon SQS event source mapping": execution role. */
const POLLING = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

function polling(template: Template, id: string): string[] {
  return Object.values(resourcesOf(template, 'AWS::Lambda::EventSourceMapping'))
    .filter(({ Properties }) => JSON.stringify(Properties['FunctionName']).includes(`"${id}Live`))
    .map(({ Properties }) => logicalId(Properties['EventSourceArn']))
    .flatMap((queue) => POLLING.map((action) => `${action} ${queue}`));
}

/** Of what `Ref` and `Fn::GetAtt` point to, without the eight characters that the CDK appends. */
function logicalId(value: unknown): string {
  const { Ref, 'Fn::GetAtt': [id = ''] = [] } = Object(value);
  return String(Ref ?? id).replace(/[0-9A-F]{8}$/, '');
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/**
 * What the policies of a role allow, one line each: `sqs:SendMessage QueuesLive`. The resource is the logical id, or
 * the name, as in `dynamodb:GetItem crm-enrichment-ledger`, where it is none of the stack's. A statement with keys
 * has a line for each: `dynamodb:PutItem crm-enrichment-state portal-1#record#*`.
 */
export function granted(template: Template, rolePrefix: string): readonly string[] {
  const lines = Object.values(resourcesOf(template, 'AWS::IAM::Policy'))
    .filter(({ Properties: { Roles } }) => JSON.stringify(Roles).includes(`"${rolePrefix}`))
    .flatMap(({ Properties: { PolicyDocument } }) => statementsOf(PolicyDocument))
    .flatMap(({ Effect, Action, Resource, Condition }) =>
      [Action].flat().flatMap((action) =>
        listOf(Resource)
          .flatMap((resource) => keysIn(Condition).map((key) => `${action} ${written(resource)}${key}`))
          .map((line) => (Effect === 'Allow' ? line : `${Effect}: ${line}`)),
      ),
    );
  return lines.sort();
}

/** Each key of a condition; an empty text without a condition. */
function keysIn(condition: unknown): readonly string[] {
  if (condition === undefined) return [''];
  const {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } = {},
    Null,
    ...others
  } = Object(condition);
  if (Object(Null)['dynamodb:LeadingKeys'] !== 'false' || Object.keys(others).length > 0)
    return [` if ${JSON.stringify(condition)}`];
  return keys.map((key: string) => ` ${key}`);
}

/** The end of an ARN of what the other stack or nobody owns: a table, a secret, a parameter. Its name tells which. */
const LASTING = /:(?:table\/|secret:|parameter(?=\/))([\w/-]+?)(?:-\?{6})?"\]\]\}$/;

function statementsOf(document: unknown): readonly Statement[] {
  if (typeof document !== 'object' || document === null || !('Statement' in document)) return [];
  const { Statement } = document;
  return Array.isArray(Statement) ? Statement : [];
}

function listOf(resource: unknown): readonly unknown[] {
  return Array.isArray(resource) ? resource : [resource];
}

function written(resource: unknown): string {
  const text = JSON.stringify(resource);
  const [, kept] = LASTING.exec(text) ?? [];
  if (kept !== undefined) return kept.replace(`/index/${ITEM_TABLE.indexName}`, '/index');
  const [, id] = /"(?:Fn::GetAtt":\["|Ref":")([A-Za-z0-9]+)"/.exec(text) ?? [];
  if (id === undefined || text.includes('"arn:"')) return text;
  return text.includes(`/index/${ITEM_TABLE.indexName}`) ? `${named(id)}/index` : named(id);
}

/** Without the eight characters that the CDK appends. */
function named(id: string): string {
  return id.replace(/[0-9A-F]{8}$/, '');
}
