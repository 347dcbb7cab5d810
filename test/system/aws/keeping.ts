import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { SECRET_KEYS } from '#shared/secrets';
import { ConfigurationError } from '../../../infra/aws/configuration-faults.ts';
import { secretDocuments } from '../../../infra/aws/deploy/secrets.ts';
import { findStack } from '../../../infra/aws/deploy/stacks.ts';
import { dataStackName } from '../../../infra/aws/names.ts';
import { profileUrlOf, somePerson } from '../../harness/people.ts';
import { type Checklist, holds, same } from './checklist.ts';
import { tablesMade } from './lambda.ts';
import type { Scene } from './scene.ts';
import { STACK } from './stack.ts';
import { contactIsEnriched, ledgerEqualsBill } from './webhooks.ts';

/**
 * Functions are removed, deployed and moved. Stored data, the address and the keys stay until a person removes them.
 */
export async function checkKeeping(checklist: Checklist, scene: Scene): Promise<void> {
  const { stack, standIns } = scene;
  const before = await lasting(scene);
  await checklist.check('destroy takes the functions, and neither tables nor keys nor address', async () => {
    await stack.destroy();
    same('The stack of the functions', await findStack(STACK), undefined);
    const { outputs: _, ...kept } = before;
    same('What stays', await stored(), kept);
    const { status } = await fetch(before.outputs['WebhookUrl'] ?? '', { method: 'POST' });
    same('What the address answers', status, 404);
    return undefined;
  });
  await checklist.check(
    'a deployment after it goes on at the same address, with the same books',
    async () => {
      await stack.deploy();
      same('What lasts', await lasting(scene), before);
      await contactIsEnriched(scene, 7);
      return ledgerEqualsBill(scene);
    },
  );
  await checklist.check('and what was paid for before is not paid for again', async () => {
    const { lookup, charged } = await askAgain(scene);
    same('The answer', { found: lookup.found, credits: lookup.credits, charged }, FREE);
    return undefined;
  });
  await checklist.check('functions that stand elsewhere in the code leave all of it untouched', async () => {
    const queue = await stack.output('BulkQueueUrl');
    const worker = await stack.output('EnrichRecordsFunction');
    await stack.deployMoved();
    same('What lasts', await lasting(scene), before);
    same('The queue', await stack.output('BulkQueueUrl'), queue);
    holds((await stack.output('EnrichRecordsFunction')) !== worker, 'Nothing was moved.');
    await contactIsEnriched(scene, 8);
    return `${standIns.charged()} credits`;
  });
}

const FREE = { found: true, credits: 0, charged: 0 };

/** The last check: nothing is left for others. */
export async function checkTheEnd(checklist: Checklist, { stack }: Scene): Promise<void> {
  await checklist.check('destroy --with-data wants the name typed, and then leaves nothing', async () => {
    const refusal = await stack.destroyAll('yes\n').then(
      () => undefined,
      (error: Error) => error.message,
    );
    const { message } = new ConfigurationError('other-name', {});
    holds(refusal?.includes(message) ?? false, `It says: ${refusal}`);
    holds((await findStack(STACK)) !== undefined, 'It deleted the stack all the same.');
    await stack.destroyAll(`${STACK}\n`);
    const dynamo = new DynamoDBClient();
    same('All tables', (await dynamo.send(new ListTablesCommand({}))).TableNames, []);
    same(
      'The stacks',
      [await findStack(STACK), await findStack(dataStackName(STACK))],
      [undefined, undefined],
    );
    const { tables, keys } = await stored();
    same('The tables', Object.values(tables).filter(Boolean), []);
    same('The keys', keys, [false, false, false, false, false]);
    return undefined;
  });
}

/** State that must be equal before and after. */
async function lasting({ stack }: Scene) {
  const { outputs } = await stack.describe();
  const { WebhookUrl = '', InstalledAt = '' } = outputs;
  return { outputs: { WebhookUrl, InstalledAt }, ...(await stored()) };
}

async function stored() {
  const documents = secretDocuments(STACK);
  const keys = await Promise.all(SECRET_KEYS.map((key) => documents[key].exists()));
  return { tables: await tablesMade(), keys };
}

/** Enriches a contact whose person was bought before the functions were removed. */
async function askAgain({ stack, standIns }: Scene) {
  const before = standIns.charged();
  const url = profileUrlOf(somePerson(standIns, 4));
  const lookup: { found: boolean; credits: number } = await stack.cli('lookup', 'profile', url, '--yes');
  return { lookup, charged: standIns.charged() - before };
}
