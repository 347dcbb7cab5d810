import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { SECRET_KEYS, type SecretKey, secretName } from '#shared/secrets';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { somePerson } from '../../harness/people.ts';
import { type Checklist, holds, same } from './checklist.ts';
import { configurationOf, logLines } from './lambda.ts';
import type { Scene } from './scene.ts';
import { askService } from './signed.ts';

/** The keys that each function may read, by the output that names the function. */
const READS: Readonly<Record<string, readonly SecretKey[]>> = {
  ReceiveWebhookFunction: ['hubSpotClientSecret'],
  EnrichRecordsFunction: ['dataServiceApiKey', 'hubSpotAccessToken', 'installationSecret'],
  RefreshStaleFunction: [],
  ReconcileFunction: ['hubSpotAccessToken', 'installationSecret', 'alertWebhookUrl'],
  ReportSpendFunction: [],
};

/** Asks IAM for each function's deployed role and each secret in the account. */
export async function checkKeysApart(checklist: Checklist, { stack }: Pick<Scene, 'stack'>): Promise<void> {
  await checklist.check('each function is let to its own secrets, and refused all others', async () => {
    const arns = await secretArns(await stack.output('SecretPrefix'));
    let refused = 0;
    for (const [output, keys] of Object.entries(READS)) {
      const { Role } = await configurationOf(await stack.output(output));
      const allowed: SecretKey[] = [];
      for (const key of SECRET_KEYS) {
        if ((await decision(Role ?? '', arns[key])) === 'allowed') allowed.push(key);
        else refused += 1;
      }
      same(`What ${output} may read`, allowed, keys);
    }
    return `${refused} times refused, by IAM's simulation of the deployed policies`;
  });
}

async function secretArns(prefix: string): Promise<Readonly<Record<SecretKey, string>>> {
  const client = new SSMClient();
  const arnOf = async (key: SecretKey) => {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: secretName(prefix, key) }));
    return Parameter?.ARN ?? '';
  };
  return {
    dataServiceApiKey: await arnOf('dataServiceApiKey'),
    hubSpotAccessToken: await arnOf('hubSpotAccessToken'),
    hubSpotClientSecret: await arnOf('hubSpotClientSecret'),
    installationSecret: await arnOf('installationSecret'),
    alertWebhookUrl: await arnOf('alertWebhookUrl'),
  };
}

/** Asks IAM without a client, because the test needs only one call. @returns allowed, implicitDeny or explicitDeny */
async function decision(role: string, resource: string): Promise<string> {
  const text = await askService('iam', {
    Action: 'SimulatePrincipalPolicy',
    Version: '2010-05-08',
    PolicySourceArn: role,
    'ActionNames.member.1': 'ssm:GetParameter',
    'ResourceArns.member.1': resource,
  });
  const [, found] = /<EvalDecision>(\w+)<\/EvalDecision>/.exec(text) ?? [];
  holds(found !== undefined, `IAM answered: ${text.slice(0, 300)}`);
  return found;
}

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
