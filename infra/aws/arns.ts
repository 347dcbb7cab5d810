import type { Stack } from 'aws-cdk-lib';
import { type SecretKey, secretName } from '#shared/secrets';
import { ITEM_TABLE, type TableName } from '#shared/store';
import type { Configuration } from './configuration.ts';
import { secretPrefix, usedTable } from './names.ts';
import type { ResourceName } from './permissions.ts';
import type { Queues } from './queues.ts';

type Installation = Pick<Configuration, 'stackName' | 'ledgerTable' | 'proofTable'>;

/** The ARN of each resource that a permission can name. Resources of the data stack are found by their fixed names. */
export function arnsOf(
  stack: Stack,
  { queues, ...installation }: Installation & { readonly queues: Queues },
): Readonly<Record<ResourceName, string>> {
  const table = (name: TableName) =>
    stack.formatArn({
      service: 'dynamodb',
      resource: 'table',
      resourceName: usedTable(installation, name),
    });
  const secret = (key: SecretKey) => secretArn(stack, installation, key);
  return {
    ledger: table('ledger'),
    proof: table('proof'),
    state: table('state'),
    stateIndex: `${table('state')}/index/${ITEM_TABLE.indexName}`,
    urgentQueue: queues.lanes.urgent.queue.queueArn,
    liveQueue: queues.lanes.live.queue.queueArn,
    bulkQueue: queues.lanes.bulk.queue.queueArn,
    dataServiceApiKey: secret('dataServiceApiKey'),
    hubSpotAccessToken: secret('hubSpotAccessToken'),
    hubSpotClientSecret: secret('hubSpotClientSecret'),
    installationSecret: secret('installationSecret'),
    alertWebhookUrl: secret('alertWebhookUrl'),
  };
}

function secretArn(stack: Stack, { stackName }: Installation, key: SecretKey): string {
  const name = secretName(secretPrefix(stackName), key);
  return stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: name.slice(1) });
}
