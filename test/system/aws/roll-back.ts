import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { type Checklist, holds, same } from './checklist.ts';
import type { Scene } from './scene.ts';

/** Deploys a newer version with a higher format over the data of this one. */
export async function checkRollBack(checklist: Checklist, { stack, workshop }: Scene): Promise<void> {
  const root = join(workshop.folder, 'newer');
  await checklist.check('a version with another format is not deployed over the data', async () => {
    await copyNewer(root);
    const before = await stack.describe();
    const { code, output } = await stack.attempt('deploy', { root });
    same('Its end', code, 1);
    holds(/wrote the data, .*nothing was changed\. Keep version/.test(output), output);
    same('The stack', await stack.describe(), before);
    return undefined;
  });
}

/** This project with a higher format, as a later release would have it. */
async function copyNewer(root: string): Promise<void> {
  await mkdir(root);
  for (const name of ['functions', 'infra', 'shared', 'cdk.json', 'package.json', 'tsconfig.json'])
    await cp(join(PROJECT_ROOT, name), join(root, name), { recursive: true });
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
  await edit(join(root, 'package.json'), /"version": "[^"]+"/, '"version": "9.9.9"');
  await edit(join(root, 'shared/store/kind.ts'), /FORMAT = \d+/, 'FORMAT = 99');
}

async function edit(path: string, from: RegExp, to: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  holds(from.test(text), `${path} lacks ${from}.`);
  await writeFile(path, text.replace(from, to));
}
