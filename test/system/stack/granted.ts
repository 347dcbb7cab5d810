import type { Template } from 'aws-cdk-lib/assertions';
import { ITEM_TABLE } from '#shared/store';
import { resourcesOf } from './synthesised.ts';

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
