import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { LANE_IDS, LANES } from './names.ts';
import type { EnrichmentStack } from './stack.ts';

interface Acknowledged {
  readonly id: string;
  /** Paths in the stack: what is added elsewhere is judged anew. */
  readonly at: readonly string[];
  readonly reason: string;
}

const FUNCTIONS = ['ReceiveWebhook', 'EnrichRecords', 'RefreshStale', 'Reconcile', 'ReportSpend'].map(
  (name) => `Functions/${name}`,
);

const ACKNOWLEDGED: readonly Acknowledged[] = [
  {
    id: 'AwsSolutions-APIG4',
    at: ['Api'],
    reason:
      'HubSpot cannot log in. Its signature over method, address, body and time is verified in the function.',
  },
  {
    id: 'AwsSolutions-SMG4',
    at: ['InstallationSecret'],
    reason:
      'Its values are issued by HubSpot and the data service, which offer no rotation; a new one is read soon.',
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
    at: ['Functions/RefreshStale', 'Functions/Reconcile'],
    reason:
      'The event of a schedule says nothing; the next run does the work, and an alarm tells of the error.',
  },
  {
    id: 'Serverless-LambdaEventSourceMappingDestination',
    at: ['EventSources'],
    reason: 'For queues the dead-letter queue is the destination.',
  },
  {
    id: 'Serverless-LambdaTracing',
    at: FUNCTIONS,
    reason:
      'Logs carry the record and metrics the numbers; the X-Ray libraries are at the end of their support.',
  },
];

/** Holds the stack against the rules for solutions on AWS and for serverless ones; a finding fails the synthesis. */
export function checkRules(app: App, stack: EnrichmentStack): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  for (const { id, at, reason } of ACKNOWLEDGED) {
    for (const path of at) Validations.of(childAt(stack, path)).acknowledge({ id, reason });
  }
}

function childAt(stack: EnrichmentStack, path: string): IConstruct {
  return path.split('/').reduce<IConstruct>((construct, id) => construct.node.findChild(id), stack);
}
