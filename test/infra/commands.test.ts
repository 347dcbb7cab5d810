import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlarmSubscriptions } from '#shared/alerts';
import { ConfigurationError, readStackSettings } from '../../infra/aws/configuration.ts';
import { readCommand, typed } from '../../infra/aws/deploy/cdk-command.ts';
import { deploymentReport, secretLines } from '../../infra/aws/deploy/deployment-report.ts';
import { agreeToDestroy, destructionLines } from '../../infra/aws/deploy/destruction.ts';
import {
  lastingSettings,
  refuseForgotten,
  refuseSecondStack,
} from '../../infra/aws/deploy/lasting-settings.ts';
import type { Filling } from '../../infra/aws/deploy/secret-values.ts';
import type { Served } from '../../infra/sandbox/serve.ts';
import { playedAccount, serveAccount } from './control-plane.ts';
import { runDeployment } from './run-deployment.ts';
import { DELIVERED } from './synthesised.ts';

const settings = (overrides: Readonly<Record<string, unknown>> = {}) =>
  readStackSettings({ ...DELIVERED, ...overrides });

function refusalOf(refused: () => unknown): ConfigurationError {
  try {
    refused();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

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
    const { message } = refusalOf(() => forgetting([]));
    for (const part of ['operator@crm.example', '-c hubSpotAppId=7 ', '-c hubSpotAppId=\n'])
      expect(message).toContain(part);
    const other = refusalOf(() => forgetting(['hubSpotAppId=8'], settings({ hubSpotAppId: 8 })));
    expect([other.message.includes('alarmEmail'), other.message.includes('hubSpotAppId')]).toEqual([
      true,
      false,
    ]);
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
    const command = { settings: settings(), overrides: [] };
    for (const stacks of [['crm-2'], ['crm-2', 'crm-enrichment', 'crm-2']]) {
      const { message } = refusalOf(() => refuseSecondStack(stacks, command));
      for (const name of ['crm-2', 'crm-enrichment']) expect(message).toContain(`-c stackName=${name}`);
    }
    expect(() => refuseSecondStack([], command)).not.toThrow();
    expect(() => refuseSecondStack(['crm-enrichment'], command)).not.toThrow();
    const said = { ...command, overrides: ['stackName=crm-enrichment'] };
    expect(() => refuseSecondStack(['crm-2'], said)).not.toThrow();
  });
});

describe('the report of a deployment', () => {
  const NOTHING = {
    filled: [],
    replaced: [],
    ignored: [],
    missing: [],
    unread: [],
  } as const;
  const topicArn = 'arn:aws:sns:eu-central-1:123456789012:alarms';
  const CONFIRMED = { topicArn, confirmed: 1, pending: 0 };
  const report = (
    change: Partial<Filling>,
    given: Record<string, string> = {},
    alarmMail: AlarmSubscriptions | { unread: string } = CONFIRMED,
  ) => {
    const command = {
      settings: settings(given),
      overrides: Object.entries(given).map(([key, value]) => `${key}=${value}`),
    };
    const secrets = { ...NOTHING, ...change };
    const outputs = { WebhookUrl: 'https://x.example/hubspot', InstalledAt: '2026-11-21T09:00:00Z' };
    return [
      ...secretLines({ command, secrets }),
      ...deploymentReport({ command, outputs, secrets, alarmMail }),
    ].join('\n');
  };
  const WHOLE = { hubSpotAppId: '7', alarmEmail: 'operator@crm.example' };

  it('tells how to go on, with the settings of this time', () => {
    const given = { stackName: 'crm-2', hubSpotAppId: '7' };
    const again = 'npm run deploy -- -c stackName=crm-2 -c hubSpotAppId=7';
    expect(report({ missing: ['HUBSPOT_ACCESS_TOKEN'] }, given)).toContain(
      `  HUBSPOT_ACCESS_TOKEN=... ${again}`,
    );
    expect(report({ ignored: ['HUBSPOT_ACCESS_TOKEN'] }, given)).toContain(`  ${again} --replace-secrets\n`);
    expect(report({ ignored: ['HUBSPOT_ACCESS_TOKEN'] })).toContain('npm run deploy -- --replace-secrets\n');
  });

  it('names the keys that it has written', () => {
    const text = report({
      filled: ['HUBSPOT_CLIENT_SECRET'],
      replaced: ['DATA_SERVICE_API_KEY'],
    });
    for (const part of ['/crm-enrichment/', 'HUBSPOT_CLIENT_SECRET', 'DATA_SERVICE_API_KEY'])
      expect(text).toContain(part);
  });

  it.each([
    [{}, { alarmEmail: 'operator@crm.example' }, /WARNING.*hubSpotAppId/],
    [{}, { hubSpotAppId: '7' }, /WARNING.*alarmEmail/],
    [
      { missing: ['DATA_SERVICE_API_KEY', 'HUBSPOT_CLIENT_SECRET'] },
      WHOLE,
      /WARNING.*DATA_SERVICE_API_KEY.*HUBSPOT_CLIENT_SECRET/,
    ],
  ])('warns of what is missing, and of that alone (%#)', (change, given, warning) => {
    const text = report(change, given);
    expect(text.split('WARNING')).toHaveLength(2);
    expect(text).toMatch(warning);
  });

  it('says what becomes of webhooks meanwhile, where their key is missing', () => {
    expect(report({ missing: ['HUBSPOT_CLIENT_SECRET'] }, WHOLE)).toContain('503');
    expect(report({ missing: ['DATA_SERVICE_API_KEY'] }, WHOLE)).not.toContain('503');
    expect(report({}, WHOLE)).not.toContain('WARNING');
    expect(report({}, WHOLE)).toContain('operator@crm.example');
  });

  it('warns that the alarm address is not confirmed, and says what to do', () => {
    const pending = report({}, WHOLE, { topicArn, confirmed: 0, pending: 1 });
    const gone = report({}, WHOLE, { topicArn, confirmed: 0, pending: 0 });
    for (const text of [pending, gone]) expect(text).toMatch(/WARNING.*operator@crm\.example/);
    for (const text of [pending, gone]) expect(text).toContain(topicArn);
    const unread = report({}, WHOLE, { unread: 'AuthorizationErrorException' });
    expect(unread).toContain('AuthorizationErrorException');
    expect(unread).toContain('doctor --stack crm-enrichment');
  });
});

describe('destroy', () => {
  const wish = { stackName: 'crm', yes: false, withData: false };
  const ask = (answer: string) => async () => answer;

  it('asks for the name of the stack', async () => {
    await expect(agreeToDestroy({ ...wish, ask: ask('y') })).rejects.toThrow(ConfigurationError);
    await expect(agreeToDestroy({ ...wish, ask: ask('') })).rejects.toThrow(ConfigurationError);
    await expect(agreeToDestroy({ ...wish, ask: undefined })).rejects.toThrow(/--yes/);
    await expect(agreeToDestroy({ ...wish, ask: ask(' crm ') })).resolves.toBeUndefined();
    await expect(agreeToDestroy({ ...wish, yes: true, ask: undefined })).resolves.toBeUndefined();
  });

  it('takes nothing else for the data: --yes is not enough', async () => {
    const all = { ...wish, withData: true, yes: true };
    await expect(agreeToDestroy({ ...all, ask: ask('') })).rejects.toThrow(ConfigurationError);
    await expect(agreeToDestroy({ ...all, ask: undefined })).rejects.toThrow(ConfigurationError);
    await expect(agreeToDestroy({ ...all, ask: ask('crm') })).resolves.toBeUndefined();
  });

  const stack = { status: 'UPDATE_COMPLETE', accountId: '123456789012', region: 'eu-central-1' };
  const lines = (withData: boolean, waiting = 0) =>
    destructionLines({ stackName: 'crm', stack, waiting, withData }).join('\n');

  it('says what goes, what waits in the queues included, and what stays', () => {
    expect(lines(false, 3)).toMatch(/\b3\b/);
    expect(lines(false)).toContain('crm-data');
  });

  it('says what is lost with the data', () => {
    expect(lines(true)).toContain('crm-data');
    expect(lines(true)).not.toBe(lines(false));
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
      const { code, output } = await runDeployment('destroy', served.url);
      for (const part of ['123456789012', 'eu-central-1', 'crm-enrichment', status, '--yes'])
        expect(output).toContain(part);
      expect(code).toBe(1);
      expect(account.changes).toEqual([]);
    },
  );

  it('destroy tells of data without functions, and leaves it where a pipe does not name it', async () => {
    account.stacks.clear();
    account.stacks.set('crm-enrichment-data', 'CREATE_COMPLETE');
    const { output } = await runDeployment('destroy', served.url);
    for (const part of ['crm-enrichment-data', '--with-data']) expect(output).toContain(part);
    expect((await runDeployment('destroy', served.url, '--with-data', '--yes')).code).toBe(1);
    expect(account.changes).toEqual([]);
  });

  it('destroy finds tables without a stack', async () => {
    account.stacks.clear();
    account.tables.add('crm-enrichment-ledger');
    const { code, output } = await runDeployment('destroy', served.url, '--with-data');
    expect([code, output]).toEqual([1, expect.stringContaining('crm-enrichment-data')]);
    expect(account.changes).toEqual([]);
    account.tables.clear();
  });
});
