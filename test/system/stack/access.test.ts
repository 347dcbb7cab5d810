import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../infra/aws/configuration-faults.ts';
import { settleAccess } from '../../../infra/aws/deploy/command.ts';
import { type Served, serveSandbox } from '../../../infra/sandbox/serve.ts';

const SERIAL = 'arn:aws:iam::123456789012:mfa/someone';
const CONFIG = `[profile plain]
aws_access_key_id = of-the-profile
aws_secret_access_key = local
region = eu-west-1
[profile operator]
role_arn = arn:aws:iam::123456789012:role/operator
source_profile = plain
mfa_serial = ${SERIAL}
region = eu-north-1
`;

let folder: string;
let sts: Served;
/** What STS was asked. */
const asked: URLSearchParams[] = [];
let before: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'access-'));
  await writeFile(join(folder, 'config'), CONFIG);
  sts = await serveSandbox({ port: 0, handle: assumeRole });
});
afterAll(async () => {
  await sts.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  asked.length = 0;
  before = { ...process.env };
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, {
    AWS_CONFIG_FILE: join(folder, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL_STS: sts.url,
  });
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  };
});

async function assumeRole(request: Request): Promise<Response> {
  asked.push(new URLSearchParams(await request.text()));
  const credentials = `<AccessKeyId>of-the-role</AccessKeyId><SecretAccessKey>local</SecretAccessKey><SessionToken>for-an-hour</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>`;
  const result = `<AssumeRoleResult><Credentials>${credentials}</Credentials></AssumeRoleResult>`;
  return new Response(`<AssumeRoleResponse>${result}</AssumeRoleResponse>`, {
    headers: { 'content-type': 'text/xml' },
  });
}

const nobody = () => Promise.reject(new Error('Nobody is to be asked.'));
/** What the CDK's command line is given. */
const given = () => {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SESSION_TOKEN, AWS_PROFILE } = process.env;
  return { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SESSION_TOKEN, AWS_PROFILE };
};

describe('access to AWS', () => {
  it('asks once for the code of a profile with multi-factor authentication, and hands on what it got', async () => {
    const questions: string[] = [];
    process.env['AWS_PROFILE'] = 'operator';
    await settleAccess(process.env, async (question) => {
      questions.push(question);
      return '123456';
    });
    expect(questions).toEqual([expect.stringContaining(SERIAL)]);
    expect(asked.map((wish) => [wish.get('TokenCode'), wish.get('SerialNumber')])).toEqual([
      ['123456', SERIAL],
    ]);
    expect(given()).toEqual({
      AWS_REGION: 'eu-north-1',
      AWS_ACCESS_KEY_ID: 'of-the-role',
      AWS_SESSION_TOKEN: 'for-an-hour',
      AWS_PROFILE: undefined,
    });
    await settleAccess(process.env, nobody);
    expect(asked).toHaveLength(1);
  });

  it('takes the region that is named before that of the profile', async () => {
    Object.assign(process.env, { AWS_PROFILE: 'plain', AWS_DEFAULT_REGION: 'us-east-1' });
    await settleAccess(process.env, nobody);
    expect(given()).toMatchObject({ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'of-the-profile' });
  });

  it.each([
    [{ AWS_PROFILE: 'unknown' }, 'credentials'],
    [{ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' }, 'Region'],
  ])('says what is missing (%#)', async (environment, missing) => {
    Object.assign(process.env, environment);
    const attempt = settleAccess(process.env, nobody);
    const params = { reason: expect.stringContaining(missing) };
    await expect(attempt).rejects.toThrow(ConfigurationError);
    await expect(attempt).rejects.toMatchObject({ code: 'no-access', params });
  });
});
