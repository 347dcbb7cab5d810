import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks, type NagPack, NIST80053R5Checks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { ComputeStack } from '../../../infra/aws/compute-stack.ts';
import { DataStack } from '../../../infra/aws/data-stack.ts';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { configured, createApp } from './synthesised.ts';

/** The findings that are accepted, each with its places and the reason. */
const ACCEPTED: readonly (readonly [rule: string, places: RegExp, reason: string])[] = [
  [
    'AwsSolutions-APIG4',
    /^Routes\//,
    'HubSpot cannot log in. The functions verify its signature over method, address, body and time (that of workflows has no time, and spends once).',
  ],
  ['Serverless-SQSRedrivePolicy', /^Queues\/[A-Z][a-z]+DeadLetters$/, 'These are the dead-letter queues.'],
  [
    'Serverless-LambdaDLQ',
    /^Functions\/[A-Za-z]+$/,
    'The API and the queues wait for their function. A missed scheduled run loses nothing, because the next one does its work.',
  ],
  [
    'Serverless-LambdaAsyncFailureDestination',
    /^Functions\/(?:RefreshStale|Reconcile)Live\//,
    'The event of a schedule carries no data. The next run does the work, and an alarm reports the error.',
  ],
  [
    'Serverless-LambdaEventSourceMappingDestination',
    /^EventSources\//,
    'For queues the dead-letter queue is the destination.',
  ],
  [
    'Serverless-LambdaTracing',
    /^Functions\/[A-Za-z]+$/,
    'Traces are a setting: they cost money, logs carry the record, and metrics carry the numbers.',
  ],
  [
    'AwsSolutions-IAM5[Resource::*]',
    /^Functions\/[A-Za-z]+Role\/DefaultPolicy$/,
    'X-Ray has no resource to which the permission could be limited.',
  ],
];

type Stacks = Readonly<Record<'data' | 'compute', DataStack | ComputeStack>>;
const AWS_PACKS = [AwsSolutionsChecks, ServerlessChecks];

/** The findings of packs in both stacks, such as `Serverless-LambdaDLQ` at `Functions/Reconcile`. */
function findings(
  packs: readonly (new (app: App) => NagPack)[],
  settings: Readonly<Record<string, unknown>>,
  change: (stacks: Stacks) => void = () => undefined,
) {
  const app: App = createApp(settings);
  const configuration = configured(settings);
  change({ data: new DataStack(app, configuration), compute: new ComputeStack(app, configuration) });
  return packs.flatMap((Pack) =>
    new Pack(app).validateScope(app).violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => ({
        rule: ruleName,
        place: constructPath.replace(/^[^/]+\//, '').replace(/\/Resource$/, ''),
      })),
    ),
  );
}

const isAccepted = ({ rule, place }: ReturnType<typeof findings>[number]) =>
  ACCEPTED.some(([accepted, places]) => accepted === rule && places.test(place));

it('the rules for solutions on AWS and for serverless ones find only what is accepted, traced or not', () => {
  const all = [{}, { tracing: true }].flatMap((settings) => findings(AWS_PACKS, settings));
  expect(all.filter((finding) => !isAccepted(finding))).toEqual([]);
  expect(new Set(all.map(({ rule }) => rule))).toEqual(new Set(ACCEPTED.map(([rule]) => rule)));
});

it.each(['data', 'compute'] as const)('the rules find what is added without thinking: %s', (which) => {
  const found = findings(AWS_PACKS, {}, (stacks) => new Queue(stacks[which], 'Another'));
  expect(found.filter((finding) => !isAccepted(finding))).toContainEqual({
    rule: 'AwsSolutions-SQS4',
    place: 'Another',
  });
});

const KEY = 'arn:aws:kms:eu-central-1:123456789012:key/0f0e0d0c-1111-2222-3333-444455556666';
const SETTINGS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { tracing: true, alarmEmail: 'a@crm.example' },
  { kmsKeyArn: KEY, permissionsBoundaryArn: 'arn:aws:iam::123456789012:policy/boundary' },
];
/** As the table has them: `LambdaDLQ Functions/Reconcile`. */
const found = new Set(
  SETTINGS.flatMap((settings) => findings([NIST80053R5Checks], settings)).map(
    ({ rule, place }) => `${rule.replace('NIST.800.53.R5-', '')} ${place}`,
  ),
);

const page = readFileSync(join(PROJECT_ROOT, 'docs/operations/permissions.md'), 'utf8');
const ANSWERS = ['met', 'accepted', 'does not apply'];
const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, rule = '', places = '', answer = '', reason = '']) => ({ rule, places, answer, reason }),
);
const patterns = rows.flatMap(({ rule, places }) =>
  places.split(', ').map((place) => ({
    text: `${rule} ${place}`,
    pattern: new RegExp(`^${rule} ${place.replaceAll('`', '').replaceAll('*', '[A-Za-z]+')}$`),
  })),
);

/** Findings that no row answers, and places of rows where nothing is found. */
function difference(seen: ReadonlySet<string>) {
  const list = [...seen];
  return {
    unanswered: list.filter((one) => !patterns.some(({ pattern }) => pattern.test(one))),
    gone: patterns.filter(({ pattern }) => !list.some((one) => pattern.test(one))).map(({ text }) => text),
  };
}

describe('the findings of the NIST 800-53 pack', () => {
  it('are in the table, and the table has no others', () => {
    expect(found.size).toBeGreaterThan(20);
    expect(difference(found)).toEqual({ unanswered: [], gone: [] });
  });

  it('have an answer and a reason each', () => {
    expect(rows.map(({ rule }) => rule)).toEqual([...new Set(rows.map(({ rule }) => rule))]);
    for (const { answer, reason } of rows) {
      expect(ANSWERS).toContain(answer);
      expect(reason.length).toBeGreaterThan(40);
    }
  });
});
