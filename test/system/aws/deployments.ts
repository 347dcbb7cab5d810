import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PolicyInput } from '#shared/field-policy';
import { type Checklist, holds, same } from './checklist.ts';
import type { Scene } from './scene.ts';
import { tablesMade } from './tables.ts';
import { contactIsEnriched } from './webhooks.ts';

/** Fields of a large team. None is written, because only their number matters here. */
const MANY = Object.fromEntries(
  Array.from({ length: 260 }, (_, index) => [
    `team_field_${index}`,
    { from: 'title', convert: 'text', write: 'never', optional: true } as const,
  ]),
);

const CHANGED: PolicyInput = {
  version: 'changed-2',
  budgets: { perDay: 150, perMonth: 2_000, purposes: { refresh: { perDay: 50 } } },
  fields: { contacts: MANY },
};

/** Deploys a changed policy to the same functions and tables. It is longer than a function's environment. */
export async function checkDeployments(checklist: Checklist, scene: Scene): Promise<void> {
  const { stack, workshop } = scene;
  await checklist.check('a policy of 20 KB updates the functions in place', async () => {
    const before = await stack.describe();
    const tables = await tablesMade();
    const policy = join(workshop.folder, 'policy.ts');
    const json = JSON.stringify(CHANGED);
    holds(json.length > 20_000, `It has ${json.length} bytes.`);
    await writeFile(policy, `export default ${json};\n`);
    await stack.deploy({ policy });
    same('The stack', await stack.describe(), before);
    same('The tables', await tablesMade(), tables);
    return `${json.length} bytes`;
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
