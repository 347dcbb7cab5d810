import type { App } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { ComputeStack } from '../../../infra/aws/compute-stack.ts';
import { DataStack } from '../../../infra/aws/data-stack.ts';
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

/** The findings of both packs, such as `Serverless-LambdaDLQ Functions/Reconcile`. */
function findings(settings: object, change: (stacks: Stacks) => void = () => undefined) {
  const app: App = createApp({ ...settings });
  const configuration = configured({ ...settings });
  change({ data: new DataStack(app, configuration), compute: new ComputeStack(app, configuration) });
  return [new AwsSolutionsChecks(app), new ServerlessChecks(app)].flatMap((pack) =>
    pack.validateScope(app).violations.flatMap(({ ruleName, violatingResources }) =>
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
  const all = [{}, { tracing: true }].flatMap((settings) => findings(settings));
  expect(all.filter((finding) => !isAccepted(finding))).toEqual([]);
  expect(new Set(all.map(({ rule }) => rule))).toEqual(new Set(ACCEPTED.map(([rule]) => rule)));
});

it.each(['data', 'compute'] as const)('the rules find what is added without thinking: %s', (which) => {
  const found = findings({}, (stacks) => new Queue(stacks[which], 'Another'));
  expect(found.filter((finding) => !isAccepted(finding))).toContainEqual({
    rule: 'AwsSolutions-SQS4',
    place: 'Another',
  });
});
