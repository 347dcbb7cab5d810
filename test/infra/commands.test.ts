import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationError, readSettings } from '../../infra/aws/configuration.ts';
import { readCommand, typed } from '../../infra/aws/deploy/cdk-command.ts';
import { type Deployment, deploymentReport } from '../../infra/aws/deploy/deployment-report.ts';
import { agreeToDestroy, destructionLines } from '../../infra/aws/deploy/destruction.ts';
import {
  lastingSettings,
  refuseForgotten,
  refuseSecondStack,
} from '../../infra/aws/deploy/lasting-settings.ts';
import { PROJECT_ROOT } from '../../infra/aws/project-root.ts';
import type { Served } from '../../infra/sandbox/serve.ts';
import { playedAccount, serveAccount } from './control-plane.ts';
import { DELIVERED } from './synthesised.ts';

const settings = (overrides: Readonly<Record<string, unknown>> = {}) =>
  readSettings({ ...DELIVERED, ...overrides });

describe('a command', () => {
  it('takes settings and the flags that it knows', () => {
    const { settings, overrides, flags } = readCommand(['-c', 'liveConcurrency=3', '--yes'], ['yes']);
    expect(settings.liveConcurrency).toBe(3);
    expect(overrides).toEqual(['liveConcurrency=3']);
    expect([...flags]).toEqual(['yes']);
    expect([...readCommand([], ['yes']).flags]).toEqual([]);
  });

  it.each([['--yes'], ['-c', 'stackName'], ['-c', '=x'], ['deploy']])('refuses %s %s', (...args) => {
    expect(() => readCommand(args, ['replace-secrets'])).toThrow(ConfigurationError);
  });

  it('is told as it has to be typed again', () => {
    const overrides = ['stackName=crm-2', "policy=it's mine.ts"];
    expect(typed('deploy', { overrides })).toBe(
      "npm run deploy -- -c stackName=crm-2 -c 'policy=it'\\''s mine.ts'",
    );
    expect(typed('deploy', { overrides: [] })).toBe('npm run deploy');
  });
});

describe('a deployment that forgets a setting', () => {
  const deployed = settings({ hubSpotAppId: 7, alarmEmail: 'operator@crm.example' });
  const outputs = { LastingSettings: JSON.stringify(lastingSettings(deployed)) };
  const forgetting = (overrides: readonly string[], now = settings()) =>
    refuseForgotten(outputs, { settings: now, overrides });

  it('is refused, with what to type to keep it and to change it', () => {
    const refusal =
      /alarmEmail: operator@crm\.example in the stack, not set now[\s\S]*-c hubSpotAppId=7 {5}or {5}-c hubSpotAppId=\n/;
    expect(() => forgetting([])).toThrow(ConfigurationError);
    expect(() => forgetting([])).toThrow(refusal);
    expect(() => forgetting(['hubSpotAppId=8'], settings({ hubSpotAppId: 8 }))).toThrow(/alarmEmail/);
  });

  it('goes on when each is said, given away, or written down', () => {
    const said = ['hubSpotAppId=8', 'alarmEmail='];
    expect(() => forgetting(said, settings({ hubSpotAppId: 8, alarmEmail: '' }))).not.toThrow();
    expect(() => forgetting([], deployed)).not.toThrow();
    expect(() => refuseForgotten(undefined, { settings: deployed, overrides: [] })).not.toThrow();
    expect(() => refuseForgotten({}, { settings: deployed, overrides: [] })).not.toThrow();
  });
});

describe('a deployment under another name', () => {
  it('is refused beside a stack like it, unless the name is said', () => {
    const refusal =
      'There is no stack crm-enrichment yet, but crm-2 in this account and region: say which is meant, -c stackName=crm-2 or -c stackName=crm-enrichment.';
    const command = { settings: settings(), overrides: [] };
    expect(() => refuseSecondStack(['crm-2'], command)).toThrow(refusal);
    expect(() => refuseSecondStack([], command)).not.toThrow();
    const said = { ...command, overrides: ['stackName=crm-enrichment'] };
    expect(() => refuseSecondStack(['crm-2'], said)).not.toThrow();
  });
});

describe('the report of a deployment', () => {
  const NOTHING = { filled: [], replaced: [], ignored: [], missing: [] };
  const report = (change: Partial<Deployment['filling']>, given: Record<string, string> = {}) =>
    deploymentReport({
      command: {
        settings: settings(given),
        overrides: Object.entries(given).map(([key, value]) => `${key}=${value}`),
      },
      stack: { outputs: { WebhookUrl: 'https://x.example/hubspot' }, parameters: {} },
      place: 'the secret /crm/secrets',
      filling: { ...NOTHING, ...change },
    }).join('\n');

  it('tells how to go on, with the settings of this time', () => {
    const given = { stackName: 'crm-2', hubSpotAppId: '7' };
    const again = 'npm run deploy -- -c stackName=crm-2 -c hubSpotAppId=7';
    expect(report({ missing: ['HUBSPOT_ACCESS_TOKEN'] }, given)).toContain(
      `  HUBSPOT_ACCESS_TOKEN=... ${again}\n`,
    );
    expect(report({ ignored: ['HUBSPOT_ACCESS_TOKEN'] }, given)).toContain(`  ${again} --replace-secrets\n`);
    expect(report({ ignored: ['HUBSPOT_ACCESS_TOKEN'] })).toContain('npm run deploy -- --replace-secrets\n');
  });

  it('names the keys that it has written', () => {
    const text = report({ filled: ['HUBSPOT_CLIENT_SECRET'], replaced: ['DATA_SERVICE_API_KEY'] });
    expect(text).toContain('Put into the secret /crm/secrets: HUBSPOT_CLIENT_SECRET.');
    expect(text).toContain('Replaced in the secret /crm/secrets: DATA_SERVICE_API_KEY.');
  });

  it('warns when the app is not known, and only then', () => {
    expect(report({})).toContain('WARNING: hubSpotAppId is not set');
    expect(report({}, { hubSpotAppId: '7' })).not.toContain('WARNING');
  });
});

describe('destroy', () => {
  it('asks for the name of the stack', async () => {
    const wish = { stackName: 'crm', yes: false };
    const ask = (answer: string) => async () => answer;
    await expect(agreeToDestroy({ ...wish, ask: ask('y') })).rejects.toThrow('Nothing was deleted.');
    await expect(agreeToDestroy({ ...wish, ask: ask('') })).rejects.toThrow(ConfigurationError);
    await expect(agreeToDestroy({ ...wish, ask: undefined })).rejects.toThrow(/--yes/);
    await expect(agreeToDestroy({ ...wish, ask: ask(' crm ') })).resolves.toBeUndefined();
    await expect(agreeToDestroy({ ...wish, yes: true, ask: undefined })).resolves.toBeUndefined();
  });

  it('says what goes, journal included, and what stays', () => {
    const stack = { status: 'UPDATE_COMPLETE', accountId: '123456789012', region: 'eu-central-1' };
    const text = destructionLines({ stackName: 'crm', stack, kept: ['the table crm-ledger'] }).join('\n');
    expect(text).toMatch(/write journal: nothing can be undone/);
    expect(text).toContain('What stays: the table crm-ledger.');
  });
});

describe('in an account', () => {
  const account = playedAccount();
  let served: Served;
  beforeAll(async () => {
    served = await serveAccount(account);
  });
  afterAll(() => served.close());

  it.each(['ROLLBACK_COMPLETE', 'DELETE_FAILED'])(
    'destroy finds a stack in %s, names account and region, and does nothing unasked',
    async (status) => {
      account.stacks.set('crm-enrichment', status);
      const { code, output } = await run('destroy', served.url);
      expect(output).toContain(
        `The stack crm-enrichment (${status}) in account 123456789012, region eu-central-1, will be deleted`,
      );
      expect(output).toContain('add --yes to agree. Nothing was deleted.');
      expect(code).toBe(1);
    },
  );

  it('deploy does not create a second stack unawares, nor one over half a stack', async () => {
    account.stacks.clear();
    account.stacks.set('crm-2', 'CREATE_COMPLETE');
    const { code, output } = await run('deploy', served.url);
    expect(output).toBe(
      'There is no stack crm-enrichment yet, but crm-2 in this account and region: say which is meant, -c stackName=crm-2 or -c stackName=crm-enrichment.\n',
    );
    expect(code).toBe(1);
    account.stacks.set('crm-enrichment', 'DELETE_FAILED');
    expect((await run('deploy', served.url)).output).toMatch(/^The stack crm-enrichment is half deleted/);
    expect(account.changes).toEqual([]);
  });
});

const SERVICE = ['-c', 'dataServiceBaseUrl=https://api.service.test'];

/** Without a terminal. */
function run(
  command: 'deploy' | 'destroy',
  url: string,
): Promise<{ readonly code: unknown; readonly output: string }> {
  const { PATH } = process.env;
  const keys = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'eu-central-1' };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(PROJECT_ROOT, `infra/aws/deploy/${command}.ts`), ...SERVICE],
      { env: { PATH, ...keys, AWS_ENDPOINT_URL: url } },
      (error, out, err) => resolve({ code: error?.code ?? 0, output: out + err }),
    );
  });
}
