import { type App, type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { LANES } from '#shared/crm';
import { LANE_IDS } from './names.ts';
import type { Settings } from './schemas.ts';

interface Acknowledged {
  readonly id: string;
  /** Paths in the compute stack. A finding elsewhere needs its own decision. */
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
      'The API and the queues wait for their function; a missed scheduled run loses nothing, because the next one does its work.',
  },
  {
    id: 'Serverless-LambdaAsyncFailureDestination',
    at: ['Functions/RefreshStaleLive', 'Functions/ReconcileLive'],
    reason:
      'The event of a schedule carries no data. The next run does the work, and an alarm reports the error.',
  },
  {
    id: 'Serverless-LambdaEventSourceMappingDestination',
    at: ['EventSources'],
    reason: 'For queues the dead-letter queue is the destination.',
  },
];

/** The setting `tracing` decides which of the two rules has a finding. */
const UNTRACED: Acknowledged = {
  id: 'Serverless-LambdaTracing',
  at: FUNCTIONS,
  reason: 'Traces are a setting: they cost money, and logs carry the record and metrics the numbers.',
};
const TRACED: Acknowledged = {
  id: 'AwsSolutions-IAM5[Resource::*]',
  at: FUNCTIONS.map((path) => `${path}Role/DefaultPolicy`),
  reason: 'X-Ray has no resource to which the permission could be limited.',
};

/**
 * Findings of cfn-lint and checkov in the synthesised template, and why they stay. `npm run test:templates` runs both.
 */
export const TEMPLATE_FINDINGS: readonly { readonly id: string; readonly reason: string }[] = [
  { id: 'W3005', reason: 'The CDK names dependencies that a reference implies; it changes nothing.' },
  {
    id: 'CKV_AWS_26',
    reason: 'Alarms contain only their name and a number; our own key would cost a dollar a month.',
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
      'The ledger has it. A copy of questions and records would outlive a privacy deletion; rates are measured again.',
  },
  { id: 'CKV_AWS_173', reason: 'Environments hold names; functions read secrets from their store.' },
];

/** Checks the stacks by the rules for AWS solutions and for serverless ones. A finding fails the synthesis. */
export function checkRules(app: App, compute: Stack, { tracing }: Pick<Settings, 'tracing'>): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  for (const { id, at, reason } of [...ACKNOWLEDGED, tracing ? TRACED : UNTRACED]) {
    for (const path of at)
      Validations.of(
        path.split('/').reduce<IConstruct>((construct, id) => construct.node.findChild(id), compute),
      ).acknowledge({ id, reason });
  }
}
