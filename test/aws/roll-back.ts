import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../infra/aws/project-root.ts';
import { profileUrlOf, somePerson } from '../builders/people.ts';
import { type Checklist, eventually, holds, PATIENCE_S, same } from './checklist.ts';
import type { Scene } from './scene.ts';

/**
 * Deploys a newer version with a raised format, then this version over it, then the newer one again. Runs last, because
 * this version cannot read the data afterwards.
 */
export async function checkRollBack(checklist: Checklist, scene: Scene): Promise<void> {
  const { stack, workshop } = scene;
  const root = join(workshop.folder, 'newer');
  const deployNewer = async () => {
    const { code, output } = await stack.attempt('deploy', { root });
    holds(code === 0, `It ended with ${code}: ${output.trim().slice(-2_000)}`);
  };
  await checklist.check(
    'a newer version with a raised format is deployed over the data of this one',
    async () => {
      await copyNewer(root);
      await deployNewer();
      await isEnrichedInHubSpot(scene, 10);
      return undefined;
    },
  );
  await checklist.check('this version is not deployed over it, and says which one is', async () => {
    const before = await stack.describe();
    const { code, output } = await stack.attempt('deploy');
    same('Its end', code, 1);
    holds(/^The data were written by a newer version \(9\.9\.9\)/m.test(output), output);
    holds(
      /record state: format 2, here 1\nNothing was changed\. Deploy version 9\.9\.9/.test(output),
      output,
    );
    same('The stack', await stack.describe(), before);
  });
  await checklist.check('and its commands refuse the newer items, and call none of them broken', async () => {
    const { code, output } = await stack.asTyped(['runs', 'verify', '--stack', 'crm-enrichment']);
    same('Its end', code, 1);
    holds(/items of format 2, and this version reads format 1 only\. A newer version/.test(output), output);
  });
  await checklist.check('the newer version is deployed again and goes on', async () => {
    await deployNewer();
    await isEnrichedInHubSpot(scene, 11);
    return undefined;
  });
}

/** This project with one raised format, as a later release would have it. */
async function copyNewer(root: string): Promise<void> {
  await mkdir(root);
  for (const name of ['functions', 'infra', 'shared', 'cdk.json', 'package.json', 'tsconfig.json'])
    await cp(join(PROJECT_ROOT, name), join(root, name), { recursive: true });
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
  await edit(join(root, 'package.json'), /"version": "[^"]+"/, '"version": "9.9.9"');
  const raised = 'raised: { format: 2, upgrade: (body) => body },';
  await edit(
    join(root, 'shared/versioned-items/format.ts'),
    /RAISED_FORMATS: [^=]+= {/,
    "$& 'record state': 2,",
  );
  await edit(
    join(root, 'shared/records/stored-kinds.ts'),
    /name: 'record state',/,
    `name: 'record state', ${raised}`,
  );
}

async function edit(path: string, from: RegExp, to: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  holds(from.test(text), `${path} lacks ${from}.`);
  await writeFile(path, text.replace(from, to));
}

/** Checks in HubSpot, because this version cannot read the record's state. */
async function isEnrichedInHubSpot({ standIns }: Scene, index: number): Promise<void> {
  const hs_linkedin_url = profileUrlOf(somePerson(standIns, index));
  const contact = await standIns.portal.create('contacts', { hs_linkedin_url });
  await eventually(
    `The enrichment of contact ${contact.id}`,
    async () => {
      const { enrichment_status: seen } = await standIns.portal.properties(contact);
      return seen === 'enriched' ? { done: seen } : { seen };
    },
    { withinS: PATIENCE_S },
  );
}
