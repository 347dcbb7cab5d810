import { CloudFormationClient, DeleteStackCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import {
  describeStack,
  existingTables,
  findStack,
  unprotectStack,
} from '../../../infra/aws/deploy/stacks.ts';
import { type Checklist, eventually, holds, same } from './checklist.ts';
import { tablesMade } from './lambda.ts';
import type { Scene } from './scene.ts';

const HALF = 'half';
const MORE = { stackName: HALF };
/** A resource of another owner under one of our names, so that the data stack cannot be created. */
const TAKEN = '/half/webhook-url';

/** Creates it by hand. */
async function deleteDataStack(): Promise<void> {
  const StackName = `${HALF}-data`;
  await unprotectStack(StackName);
  await new CloudFormationClient().send(new DeleteStackCommand({ StackName }));
  await eventually(
    'The end of the data stack',
    async () => {
      const { status } = (await findStack(StackName)) ?? {};
      return status === undefined ? { done: true } : { seen: status };
    },
    { withinS: 60 },
  );
}

const left = () => existingTables(new DynamoDBClient(), MORE);

/** Prepares a second installation beside the first, before its deployment. */
export async function checkSecondInstallation(checklist: Checklist, { stack }: Scene): Promise<void> {
  await checklist.check(
    'a second installation on the HubSpot account is refused unless asked for',
    async () => {
      const { code, output } = await stack.attempt('deploy', { more: MORE, secrets: stack.given });
      same('Its end', code, 1);
      holds(/^Another installation was set up on the HubSpot account \d+/m.test(output), output);
      same('What it left', [await findStack(`${HALF}-data`), await left()], [undefined, []]);
    },
  );
  await checklist.check('a key that the service refuses is found before anything is deployed', async () => {
    const secrets = { ...stack.given, DATA_SERVICE_API_KEY: 'of-nobody' };
    const { output } = await stack.attempt('deploy', { more: MORE, secrets });
    holds(/^DATA_SERVICE_API_KEY is refused, so nothing was deployed/m.test(output), output);
    same('What it left', await left(), []);
  });
}

/** Fails its first deployment, and later deletes its data stack by hand. */
export async function checkHalfWay(checklist: Checklist, scene: Scene): Promise<void> {
  const { stack } = scene;
  const before = await tablesMade();
  await checklist.check(
    'a data stack that fails half-way leaves empty tables, and is deployed again over them',
    async () => {
      const ssm = new SSMClient();
      await ssm.send(new PutParameterCommand({ Name: TAKEN, Value: 'of somebody else', Type: 'String' }));
      const failed = await stack.attempt('deploy', { more: MORE });
      holds(failed.code !== 0, 'The deployment did not fail.');
      const { status = 'gone' } = (await findStack(`${HALF}-data`)) ?? {};
      const tables = await left();
      holds(tables.length > 0, `No table is left, and the stack is ${status}.`);
      await ssm.send(new DeleteParameterCommand({ Name: TAKEN }));
      const { code, output } = await stack.attempt('deploy', { more: MORE });
      holds(code === 0, `It ended with ${code}: ${output.trim().slice(-2_000)}`);
      holds(output.includes(`they hold nothing: ${tables.join(', ')}.`), 'It does not name the tables.');
      holds((await describeStack(HALF)) !== undefined, 'There is no second stack.');
      same('The tables of the first installation', await tablesMade(), before);
      return `${tables.length} tables, ${status}`;
    },
  );
  await checkTablesWithoutStack(checklist, scene);
  await checklist.check('and goes again, the first installation untouched', async () => {
    const flags = ['--with-data'];
    const { code, output } = await stack.attempt('destroy', { more: MORE, flags, input: `${HALF}\n` });
    holds(code === 0, output.trim().slice(-2_000));
    same('What is left', await left(), []);
    same('The tables of the first installation', await tablesMade(), before);
    return undefined;
  });
}

async function checkTablesWithoutStack(checklist: Checklist, { stack }: Scene): Promise<void> {
  await checklist.check(
    'tables with data whose stack is gone are refused (not played: --take-over-tables)',
    async () => {
      const Item = { pk: { S: 'default#entry#1' } };
      await new DynamoDBClient().send(new PutItemCommand({ TableName: `${HALF}-ledger`, Item }));
      await deleteDataStack();
      const names = await left();
      const { code, output } = await stack.attempt('deploy', { more: MORE });
      same('Its end', code, 1);
      holds(
        /^No stack owns these tables, and they hold data, so nothing was changed: half-ledger\. /m.test(
          output,
        ),
        output,
      );
      same('The tables', await left(), names);
      return `${names.length} tables`;
    },
  );
}
