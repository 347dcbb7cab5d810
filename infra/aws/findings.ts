import { type App, type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { LANES } from '#shared/crm';
import { LANE_IDS } from './names.ts';
import type { Settings } from './schemas.ts';

interface Acknowledged {
  readonly id: string;
  /** Paths in the compute stack: additions elsewhere are judged again. */
  readonly at: readonly string[];
  readonly reason: string;
}

const FUNCTIONS = [
  ...['ReceiveWebhook', 'EnrichRecords', 'RefreshStale', 'Reconcile', 'ReportSpend', 'ServeHubspot'],
].map((name) => `Functions/${name}`);

const ACKNOWLEDGED: readonly Acknowledged[] = [
  {
    id: 'AwsSolutions-APIG4',
    at: ['Routes'],
    reason:
      'HubSpot cannot log in. Its signature over method, address, body and time is verified in the functions (that of workflows has no time, and spends once).',
  },
  {
    id: 'Serverless-SQSRedrivePolicy',
    at: LANES.map((lane) => `Queues/${LANE_IDS[lane]}DeadLetters`),
    reason: 'These are the dead-letter queues.',
  },
  {
    id: 'Serverless-LambdaDLQ',
    at: FUNCTIONS,
    reason:
      'The API and the queues wait for their function; a scheduled run holds nothing that the next one lacks.',
  },
  {
    id: 'Serverless-LambdaAsyncFailureDestination',
    at: ['Functions/RefreshStaleLive', 'Functions/ReconcileLive'],
    reason:
      'The event of a schedule says nothing; the next run does the work, and an alarm tells of the error.',
  },
  {
    id: 'Serverless-LambdaEventSourceMappingDestination',
    at: ['EventSources'],
    reason: 'For queues the dead-letter queue is the destination.',
  },
];

/** The setting `tracing` decides which of the two rules finds something. */
const UNTRACED: Acknowledged = {
  id: 'Serverless-LambdaTracing',
  at: FUNCTIONS,
  reason: 'Traces are a setting: they cost money, and logs carry the record and metrics the numbers.',
};
const TRACED: Acknowledged = {
  id: 'AwsSolutions-IAM5[Resource::*]',
  at: FUNCTIONS.map((path) => `${path}Role/DefaultPolicy`),
  reason: 'X-Ray knows no resource to which sending a trace could be limited.',
};

/** What cfn-lint and checkov find in the template that is synthesised, and why it stays. `npm run test:templates` runs both. */
export const TEMPLATE_FINDINGS: readonly { readonly id: string; readonly reason: string }[] = [
  { id: 'W3005', reason: 'The CDK names dependencies that a reference implies; it changes nothing.' },
  {
    id: 'CKV_AWS_26',
    reason: 'Alarms say their name and a number; a key of our own would cost a dollar a month.',
  },
  { id: 'CKV_AWS_27', reason: "Queues are encrypted with SQS's own keys, which this rule does not know." },
  { id: 'CKV_AWS_115', reason: 'Small accounts refuse reserved concurrency; the event sources bound it.' },
  { id: 'CKV_AWS_116', reason: 'As for Serverless-LambdaDLQ above.' },
  {
    id: 'CKV_AWS_117',
    reason: 'It reaches nothing in a VPC, and a NAT gateway costs more than all the rest.',
  },
  { id: 'CKV_AWS_158', reason: 'Logs hold no values and no secrets; they are encrypted by CloudWatch.' },
  {
    id: 'CKV_AWS_165',
    reason:
      'The ledger has it. A copy of questions and records would outlive a forgetting; rates are learned again.',
  },
  { id: 'CKV_AWS_173', reason: 'Environments hold names; secrets are read from their store.' },
];

/** Holds the stacks against the rules for solutions on AWS and for serverless ones; a finding fails the synthesis. */
export function checkRules(app: App, compute: Stack, { tracing }: Pick<Settings, 'tracing'>): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  for (const { id, at, reason } of [...ACKNOWLEDGED, tracing ? TRACED : UNTRACED]) {
    for (const path of at) Validations.of(childAt(compute, path)).acknowledge({ id, reason });
  }
}

function childAt(stack: Stack, path: string): IConstruct {
  return path.split('/').reduce<IConstruct>((construct, id) => construct.node.findChild(id), stack);
}
