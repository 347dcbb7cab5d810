import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import type { PolicyInput } from '#shared/field-policy/policy.ts';
import { type Checklist, holds, same } from './checklist.ts';
import { environmentOf } from './lambda.ts';
import type { Scene } from './scene.ts';
import { contactIsEnriched } from './webhooks.ts';

const CHANGED: PolicyInput = {
  version: 'changed-2',
  budgets: { perDay: 150, perMonth: 2_000, purposes: { refresh: { perDay: 50 } } },
};

/** Deploying again: nothing for nothing, and a changed policy in the same functions and tables. */
export async function checkDeployments(checklist: Checklist, scene: Scene): Promise<void> {
  const { stack, workshop } = scene;
  await checklist.check('a second deployment changes nothing', async () => {
    const before = await stack.describe();
    const output = await stack.deploy();
    holds(output.includes('(no changes)'), `The CDK does not say "(no changes)": ${output.slice(-1_500)}`);
    same('The stack', await stack.describe(), before);
  });
  await checklist.check('a changed policy updates the functions in place', async () => {
    const before = await stack.describe();
    const tables = await tablesOf(before.outputs);
    const policy = join(workshop.folder, 'policy.ts');
    await writeFile(policy, `export default ${JSON.stringify(CHANGED)};\n`);
    await stack.deploy({ policy });
    const after = await stack.describe();
    same('The outputs', { ...after.outputs, Policy: '' }, { ...before.outputs, Policy: '' });
    same('The parameters', after.parameters, before.parameters);
    same('The tables', await tablesOf(after.outputs), tables);
    for (const name of ['EnrichRecords', 'RefreshStale', 'Reconcile', 'ReportSpend']) {
      const { POLICY = '{}' } = await environmentOf(await stack.output(`${name}Function`));
      same(`The policy of ${name}`, JSON.parse(POLICY), CHANGED);
    }
  });
  await checklist.check('and the next record is explained by the new policy', async () => {
    const { objectType, id } = await contactIsEnriched(scene, 4);
    const { runs }: { runs: { policyVersion: string }[] } = await stack.cli('explain', `${objectType}/${id}`);
    same(
      'The policies of its runs',
      runs.map(({ policyVersion }) => policyVersion),
      ['changed-2'],
    );
  });
}

/** Destroyed, the books stay; deployed again, they are open where they were. */
export async function checkKeeping(checklist: Checklist, { stack, standIns }: Scene): Promise<void> {
  const before = await stack.describe();
  await checklist.check('destroy keeps ledger, questions and secret, and nothing else', async () => {
    const output = await stack.destroy();
    for (const kept of ['crm-enrichment-ledger', 'crm-enrichment-questions', '/crm-enrichment/secrets'])
      holds(
        /^Kept: .*$/m.exec(output)?.[0].includes(kept) ?? false,
        `destroy does not keep ${kept}: ${output}`,
      );
    const { Ledger, Questions, Records, RateLimiter } = await tablesOf(before.outputs);
    holds(Ledger !== undefined && Questions !== undefined, 'A table that is to be kept is gone.');
    same('What should be gone', [Records, RateLimiter], [undefined, undefined]);
  });
  await checklist.check('a deployment after it adopts them: the spend is still there', async () => {
    const output = await stack.deploy();
    holds(/^Adopting what is kept: /m.test(output), `deploy adopts nothing: ${output}`);
    const { spentMonthCredits } = await stack.cli('spend');
    same('The spend', spentMonthCredits, standIns.charged());
    const { ok, entries } = await stack.cli('ledger', 'verify');
    holds(ok && entries > 0, 'The ledger does not hold.');
    return `${spentMonthCredits} credits in ${entries} entries`;
  });
}

/** When each table was made; a replaced one is younger. */
async function tablesOf(outputs: Readonly<Record<string, string>>) {
  const client = new DynamoDBClient();
  const made = async (name: string) => {
    try {
      const { Table } = await client.send(
        new DescribeTableCommand({ TableName: outputs[`${name}Table`] ?? '' }),
      );
      return Table?.CreationDateTime?.getTime();
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  };
  return {
    Ledger: await made('Ledger'),
    Questions: await made('Questions'),
    Records: await made('Records'),
    RateLimiter: await made('RateLimiter'),
  };
}
