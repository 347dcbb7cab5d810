import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { somePerson } from '../../harness/people.ts';
import { type Checklist, holds } from './checklist.ts';
import { configurationOf } from './lambda.ts';
import { logLines } from './logs.ts';
import type { Scene } from './scene.ts';

/** Checks that no key of this run and no personal data appears in readable places. */
export async function checkSecrecy(checklist: Checklist, { stack, standIns }: Scene): Promise<void> {
  const { outputs } = await stack.describe();
  const secrets = Object.values(standIns.keys);
  await checklist.check('no key is in a template, an asset, an environment or an output', async () => {
    const environments = await Promise.all(
      Object.entries(outputs)
        .filter(([name]) => name.endsWith('Function'))
        .map(async ([, name]) => (await configurationOf(name)).Environment),
    );
    const files = filesOf(join(PROJECT_ROOT, 'cdk.out'));
    const places = [
      ...files.map((path) => [path, readFileSync(path, 'utf8')] as const),
      ['an environment', JSON.stringify(environments)] as const,
      ['what the commands print', stack.told()] as const,
    ];
    for (const [place, text] of places) mustLack(place, text, secrets);
    return `${files.length} files`;
  });
  await checklist.check('no key and nothing of a person is in a log line', async () => {
    const lines = await logLines();
    const text = lines.join('\n');
    holds(text.includes('"record-ended"'), 'The functions have written no log.');
    const { firstName, lastName, job, networkSlug } = somePerson(standIns);
    const personal = [`${firstName} ${lastName}`, job.email ?? networkSlug, networkSlug];
    mustLack('A log line', text, [...secrets, ...personal]);
    return `${lines.length} lines`;
  });
}

function mustLack(place: string, text: string, words: readonly string[]): void {
  const index = words.findIndex((word) => word !== '' && text.includes(word));
  // Shows a number, because the word itself is secret.
  holds(index < 0, `${place} has number ${index + 1} of the words that must not be seen.`);
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile());
}
