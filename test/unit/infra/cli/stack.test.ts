import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import { SECRET_KEYS, type Secrets, secretName } from '#shared/secrets';
import { connectStack, openAccess, readStack } from '../../../../infra/cli/connection/stack-connection.ts';
import type { Check } from '../../../../infra/doctor/check.ts';
import { runCommand } from '../../../harness/console.ts';
import { hasDynamoEngine } from '../../../harness/dynamo-engine.ts';
import { cloudFormationAnswer, type PlayedAws, playStack } from '../../../harness/played-stack.ts';

let aws: PlayedAws;
let env: Record<string, string>;
let outputs: Record<string, string>;
/** Access keys with which CloudFormation was asked. */
const askedBy = new Set<string>();
const SECRETS = {
  dataServiceApiKey: 'sandbox-key',
  hubSpotAccessToken: 'sandbox-token',
  hubSpotClientSecret: 'sandbox-client-secret',
  installationSecret: 'an installation secret of a test',
};
let secrets: Partial<Secrets> = SECRETS;
/** Of the alarm topic, as SNS lists them; `undefined`: the operator may not list them. */
let subscriptions: readonly string[] | undefined = [];
const POLICY = { version: 'of the stack', timeZone: 'Europe/Berlin', budgets: { perDay: 7 } };

beforeAll(async () => {
  if (!hasDynamoEngine) return;
  aws = await playStack(control, 'local');
  ({ outputs } = aws);
  // Whoever has the settings of a laptop in the shell still means the stack.
  env = { ...aws.env, CREDITS_PER_DAY: 'not a number', DATA_SERVICE_API_KEY: 'of-a-laptop' };
});
afterAll(() => aws?.close());

/** CloudFormation and Parameter Store, as far as one stack goes. */
async function control(request: Request): Promise<Response> {
  const body = await request.text();
  const target = request.headers.get('x-amz-target') ?? '';
  if (target === 'AmazonSSM.GetParameter')
    return Response.json({ Parameter: { Value: documentOf(JSON.parse(body).Name) } });
  const xml = { headers: { 'content-type': 'text/xml' } };
  if (body.includes('Action=AssumeRole')) return new Response(ASSUMED, xml);
  if (body.includes('Action=ListSubscriptionsByTopic')) return subscriptionsAnswer();
  askedBy.add(/Credential=([^/]+)/.exec(request.headers.get('authorization') ?? '')?.[1] ?? 'nobody');
  return cloudFormationAnswer(body, { name: 'crm', outputs, policy: POLICY });
}

function subscriptionsAnswer(): Response {
  const headers = { 'content-type': 'text/xml' };
  if (!subscriptions) {
    const error =
      '<Error><Type>Sender</Type><Code>AuthorizationError</Code><Message>no right</Message></Error>';
    return new Response(`<ErrorResponse>${error}</ErrorResponse>`, { headers, status: 403 });
  }
  const members = subscriptions.map((arn) => `<member><SubscriptionArn>${arn}</SubscriptionArn></member>`);
  const result = `<ListSubscriptionsByTopicResult><Subscriptions>${members.join('')}</Subscriptions></ListSubscriptionsByTopicResult>`;
  return new Response(`<ListSubscriptionsByTopicResponse>${result}</ListSubscriptionsByTopicResponse>`, {
    headers,
  });
}

const ASSUMED = `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>of-the-role</AccessKeyId><SecretAccessKey>local</SecretAccessKey><SessionToken>for-an-hour</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;

/** Of the secret of this name. */
function documentOf(name: string): string {
  const key = SECRET_KEYS.find((each) => secretName('/crm', each) === name);
  return JSON.stringify(key ? { [key]: secrets[key] ?? '' } : {});
}

const run = (...words: string[]) => runCommand(words, { env });

async function checkOfStack(wanted: string): Promise<Check | undefined> {
  const { checks } = (await run('doctor', '--stack', 'crm', '--json')).json() as unknown as {
    checks: Check[];
  };
  return checks.find(({ name }) => name === wanted);
}

describe.skipIf(!hasDynamoEngine)('--stack', () => {
  it('spends from the books of the stack, with its secrets', async () => {
    for (const email of ['lee.nobody@unknown-firm.com', 'nobody-lee.else@unknown-firm.com']) {
      const { code, json } = await run('lookup', 'email', email, '--stack', 'crm', '--yes', '--json');
      expect(json()).toMatchObject({ found: false, credits: 1 });
      expect(code).toBe(4);
    }
  });

  it('has the policy of the stack, and is known before and after the words of a command', async () => {
    for (const words of [
      ['--stack', 'crm', 'spend'],
      ['spend', '--stack', 'crm'],
    ]) {
      const { code, out } = await run(...words);
      expect(out).toMatch(/total\/day +7 +2 +5 /);
      expect(out).toContain(POLICY.timeZone);
      expect(code).toBe(0);
    }
  });

  const CONFIRMED = 'arn:aws:sns:eu-central-1:123456789012:alarms:5e884898';
  it.each([
    [[], 'no-alarm-mail', { confirmed: 0, pending: 0 }],
    [['PendingConfirmation'], 'alarm-mail-reaches-nobody', { confirmed: 0, pending: 1 }],
    [[CONFIRMED, 'PendingConfirmation'], 'alarm-mail-unconfirmed', { confirmed: 1, pending: 1 }],
    [undefined, 'alarm-mail-not-checked', {}],
    [[CONFIRMED, 'Deleted'], 'alarm-mail-confirmed', { confirmed: 1 }],
  ])('has a doctor that checks whether the alarm mail is confirmed: %s', async (listed, code, params) => {
    subscriptions = listed;
    expect(await checkOfStack('alarm mail')).toMatchObject({ code, params });
  });

  it('has a doctor that misses the id of our app in its settings', async () => {
    const whole = outputs;
    const { HubSpotAppId: _, ...rest } = outputs;
    outputs = rest;
    const check = await checkOfStack('own app');
    outputs = whole;
    expect(check).toMatchObject({ code: 'app-not-set', params: { setting: 'hubSpotAppId' } });
  });

  it('is named in each command that the doctor advises', async () => {
    const properties = await checkOfStack('properties of contacts');
    expect(properties).toMatchObject({ params: { command: 'setup --stack crm' } });
    const { err } = await run('doubts', 'resolve', '5e884898', '--charged', '--note', 'x', '--stack', 'crm');
    expect(err).toMatch(/ doubts list --stack crm$/m);
  });

  // In this order: the second sees the stop of the first.
  it.each([
    [['spend', 'stop', '--reason', 'a test'], 'spend resume'],
    [['spend'], 'spend resume'],
    [['queue', 'status'], 'spend resume'],
    [['spend', 'resume', '--json'], undefined],
    [['spend', 'resume'], 'spend'],
    [['backfill', 'status', '3f2a9c1e'], 'backfill list'],
    [['review', 'reject', 'contacts/1/proposal', '--json'], 'review list'],
    [['doctor'], 'probe --max-credits 4'],
    [['backfill', 'run', '--help'], 'backfill run 3f2a9c1e'],
    [['doubts', 'resolve', '--help'], 'doubts resolve 5e884898 --not-charged --note "[^"]+"'],
  ] as const)('is in every command that a text names: %j', async (words, named) => {
    const { out, err } = await run(...words, '--stack', 'crm');
    const text = `${out}${err}`;
    if (named !== undefined) expect(text).toMatch(new RegExp(`${named} --stack crm`));
    expect(text).not.toMatch(/\[object |undefined/);
  });

  it('reaches the queues and HubSpot of the stack', async () => {
    expect((await run('queue', 'status', '--json', '--stack', 'crm')).json()).toMatchObject({
      hasWorkers: true,
      queues: [{ queue: 'urgent' }, { queue: 'live', waiting: 0 }, { queue: 'bulk' }],
    });
    const { code, json } = await run('setup', '--stack', 'crm', '--json');
    expect(json()).toMatchObject({ contacts: { groupCreated: true, conflicts: [] } });
    expect(code).toBe(0);
  });

  it('says where its key is when that is refused, and goes on at once with another in the secret', async () => {
    secrets = { ...SECRETS, dataServiceApiKey: 'sandbox-key-old' };
    const lookup = () =>
      run('lookup', 'email', 'rotated@unknown-firm.com', '--stack', 'crm', '--yes', '--json');
    const probe = ['probe', '--max-credits', '4', '--domain', 'firm.example', '--yes'];
    expect((await run(...probe, '--stack', 'crm', '--json')).code).toBe(2);
    expect((await lookup()).code).toBe(2);
    expect(await checkOfStack('data service key')).toMatchObject({
      code: 'key-refused',
      params: { key: expect.stringContaining('data-service-api-key') },
    });
    secrets = SECRETS;
    expect((await lookup()).json()).toMatchObject({ found: false, credits: 1 });
  });

  it('knows the app whose writes are ours, and the portal that we work for', async () => {
    const connection = await connectStack('crm', { env, clock: systemClock });
    expect(await connection.ownApp()).toMatchObject({ settingId: '7001' });
    expect(await connection.services.portal.known()).toEqual({ portalId: '24170001', by: 'setting' });
    await connection.close();
  });

  it("is reached by the profile that is named, as the SDK and so 'npm run deploy' has it", async () => {
    await withProfile('other', async (named) => {
      const keys = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
      await readStack('crm', openAccess({ env: { ...env, ...keys, ...named } }));
    });
    expect([...askedBy]).toEqual(['of-the-profile']);
  });

  it('asks once for the code of a profile with multi-factor authentication, for all clients', async () => {
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return '123456';
    };
    await withProfile('operator', async (named) => {
      const connection = await connectStack('crm', {
        env: { ...env, ...named },
        terminal: { ask },
        clock: systemClock,
      });
      await connection.close();
    });
    expect(questions).toEqual([expect.stringContaining('arn:aws:iam::123456789012:mfa/someone')]);
    expect([...askedBy]).toEqual(['of-the-role']);
  });

  // A port at which nothing listens.
  const DEAD = '127.0.0.1:9';

  it.each(['CLOUDFORMATION', 'DYNAMODB', 'SSM', 'SQS'])(
    'names the address of %s if it does not answer',
    async (service) => {
      const dead = { ...env, [`AWS_ENDPOINT_URL_${service}`]: `http://${DEAD}` };
      const ran = await runCommand(['queue', 'status', '--stack', 'crm', '--json'], { env: dead });
      expect(ran.json()).toMatchObject({ error: { code: 'aws-silent', params: { address: DEAD } } });
      expect(ran.code).toBe(1);
    },
  );

  it('names what is missing', async () => {
    const unknown = await run('spend', '--stack', 'other', '--json');
    expect(unknown.json()).toMatchObject({ error: { code: 'no-stack', params: { stack: 'other' } } });
    expect(unknown.code).toBe(4);
    const { LedgerTable: _, ...rest } = outputs;
    const whole = outputs;
    outputs = rest;
    const foreign = await run('spend', '--stack', 'crm', '--json');
    outputs = whole;
    expect(foreign.json()).toMatchObject({
      error: { code: 'no-output', params: { stack: 'crm', missing: ['LedgerTable'] } },
    });
    expect(foreign.code).toBe(2);
  });
});

const PROFILES = `[other]
aws_access_key_id = of-the-profile
aws_secret_access_key = local
[operator]
role_arn = arn:aws:iam::123456789012:role/operator
source_profile = other
mfa_serial = arn:aws:iam::123456789012:mfa/someone
`;

/** In a shell that names a profile of a file, and has no keys. */
async function withProfile(name: string, use: (named: Record<string, string>) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'profile-'));
  const file = join(folder, 'credentials');
  await writeFile(file, PROFILES);
  const named = { AWS_PROFILE: name, AWS_SHARED_CREDENTIALS_FILE: file, AWS_CONFIG_FILE: file };
  const before = { ...process.env };
  Object.assign(process.env, named, { AWS_ENDPOINT_URL_STS: aws.controlUrl });
  // The SDK would warn of both; the keys stand in what the command is given.
  delete process.env['AWS_ACCESS_KEY_ID'];
  askedBy.clear();
  try {
    await use(named);
  } finally {
    for (const key of [...Object.keys(named), 'AWS_ENDPOINT_URL_STS']) delete process.env[key];
    Object.assign(process.env, before);
    await rm(folder, { recursive: true });
  }
}
