import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStackSettings } from '../../../infra/aws/configuration.ts';
import { ConfigurationError } from '../../../infra/aws/configuration-faults.ts';
import { readCommand, typed } from '../../../infra/aws/deploy/command.ts';
import { deploymentReport, REPORT_TEXTS, secretLines } from '../../../infra/aws/deploy/deploy.ts';
import {
  agreeToDestroy,
  DESTRUCTION_TEXTS,
  destructionLines,
  LOST_WITH_DATA,
} from '../../../infra/aws/deploy/destroy.ts';
import { lastingSettings, refuseForgotten } from '../../../infra/aws/deploy/installed.ts';
import type { Filling } from '../../../infra/aws/deploy/secrets.ts';
import type { Served } from '../../../infra/sandbox/serve.ts';
import { filled } from '../../../infra/text-row.ts';
import { textFaults } from '../../harness/catalogue.ts';
import { playedAccount, serveAccount } from './control-plane.ts';
import { refused, runDeployment } from './run-deployment.ts';
import { DELIVERED } from './synthesised.ts';

const settings = (overrides: Readonly<Record<string, unknown>> = {}) =>
  readStackSettings({ ...DELIVERED, ...overrides });

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
    expect(() => forgetting([])).toThrow(ConfigurationError);
    expect(() => forgetting([])).toThrow(/alarmEmail: operator@crm\.example[\s\S]*-c hubSpotAppId=7 {5}/);
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

describe('the report of a deployment', () => {
  const NOTHING = {
    filled: [],
    replaced: [],
    ignored: [],
    missing: [],
    unread: [],
  } as const;
  const report = (change: Partial<Filling>, given: Record<string, string> = {}) => {
    const command = {
      settings: settings(given),
      overrides: Object.entries(given).map(([key, value]) => `${key}=${value}`),
    };
    const secrets = { ...NOTHING, ...change };
    const outputs = { WebhookUrl: 'https://x.example/hubspot', InstalledAt: '2026-11-21T09:00:00Z' };
    return [...secretLines({ command, secrets }), ...deploymentReport({ command, outputs, secrets })].join(
      '\n',
    );
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

  it.each([
    [{}, { alarmEmail: 'operator@crm.example' }, [REPORT_TEXTS['own-app-unknown']]],
    [{}, { hubSpotAppId: '7' }, [REPORT_TEXTS['no-alarms']]],
    [
      { missing: ['DATA_SERVICE_API_KEY', 'HUBSPOT_CLIENT_SECRET'] },
      WHOLE,
      ['DATA_SERVICE_API_KEY', 'HUBSPOT_CLIENT_SECRET', '/crm-enrichment/'],
    ],
  ])('warns of what is missing, and of that alone (%#)', (change, given, warnings) => {
    const text = report(change, given);
    expect(text.split('WARNING')).toHaveLength(2);
    for (const warning of warnings) expect(text).toContain(warning);
  });

  it('says what becomes of webhooks meanwhile, where their key is missing', () => {
    const refused = REPORT_TEXTS['webhooks-refused'];
    const again = REPORT_TEXTS['deploy-again'];
    expect(report({ missing: ['HUBSPOT_CLIENT_SECRET'] }, WHOLE)).toContain(refused);
    expect(report({ missing: ['DATA_SERVICE_API_KEY'] }, WHOLE)).not.toContain(refused);
    expect(report({ missing: ['DATA_SERVICE_API_KEY'] }, WHOLE)).toContain(again);
    expect(report({}, WHOLE)).not.toContain('WARNING');
    expect(report({}, WHOLE)).not.toContain(again);
    expect(report({}, WHOLE)).toContain(filled(REPORT_TEXTS.alarms, WHOLE));
  });
});

it('each text is one sentence', () => {
  const texts = Object.values({ ...REPORT_TEXTS, ...DESTRUCTION_TEXTS, ...LOST_WITH_DATA });
  expect(texts.flatMap((text) => textFaults(text.trim()))).toEqual([]);
});

describe('destroy', () => {
  const wish = { stackName: 'crm', yes: false, withData: false };
  const ask = (answer: string) => async () => answer;

  it('asks for the name of the stack', async () => {
    await expect(agreeToDestroy({ ...wish, ask: ask('y') })).rejects.toMatchObject({ code: 'other-name' });
    await expect(agreeToDestroy({ ...wish, ask: ask('') })).rejects.toThrow(ConfigurationError);
    await expect(agreeToDestroy({ ...wish, ask: undefined })).rejects.toMatchObject({ code: 'no-terminal' });
    await expect(agreeToDestroy({ ...wish, ask: ask(' crm ') })).resolves.toBeUndefined();
    await expect(agreeToDestroy({ ...wish, yes: true, ask: undefined })).resolves.toBeUndefined();
  });

  it('takes nothing else for the data: --yes is not enough', async () => {
    const all = { ...wish, withData: true, yes: true };
    await expect(agreeToDestroy({ ...all, ask: ask('') })).rejects.toMatchObject({ code: 'other-name' });
    await expect(agreeToDestroy({ ...all, ask: undefined })).rejects.toMatchObject({ code: 'no-terminal' });
    await expect(agreeToDestroy({ ...all, ask: ask('crm') })).resolves.toBeUndefined();
  });

  const stack = { status: 'UPDATE_COMPLETE', accountId: '123456789012', region: 'eu-central-1' };
  const lines = (withData: boolean, waiting = 0) =>
    destructionLines({ stackName: 'crm', stack, waiting, withData }).join('\n');

  const NAMED = { stackName: 'crm', status: stack.status, data: 'crm-data' };

  it('says what goes, what waits in the queues included, and what stays', () => {
    expect(lines(false, 3)).toContain(filled(DESTRUCTION_TEXTS.queues, { waiting: 3 }));
    expect(lines(false)).toContain(filled(DESTRUCTION_TEXTS.stays, NAMED));
    expect(lines(false)).not.toContain(LOST_WITH_DATA.answers);
  });

  it('says what is lost with the data', () => {
    for (const row of Object.values(LOST_WITH_DATA)) expect(lines(true)).toContain(filled(row, NAMED));
    expect(lines(true)).not.toContain(filled(DESTRUCTION_TEXTS.stays, NAMED));
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
      for (const named of ['123456789012', 'eu-central-1', 'crm-enrichment', status])
        expect(output).toContain(named);
      expect(output.endsWith(refused('no-terminal', {}))).toBe(true);
      expect(code).toBe(1);
    },
  );

  it('destroy tells of data without functions, and leaves it where a pipe does not name it', async () => {
    account.stacks.clear();
    account.stacks.set('crm-enrichment-data', 'CREATE_COMPLETE');
    expect((await runDeployment('destroy', served.url)).output).toBe(
      refused('no-stack-but-data', { stackName: 'crm-enrichment' }),
    );
    const { code, output } = await runDeployment('destroy', served.url, '--with-data', '--yes');
    expect(output.endsWith(refused('other-name', {}))).toBe(true);
    expect(code).toBe(1);
    expect(account.changes).toEqual([]);
  });

  it('destroy finds tables without a stack', async () => {
    account.stacks.clear();
    account.tables.add('crm-enrichment-ledger');
    const { output: asked } = await runDeployment('destroy', served.url, '--with-data');
    expect(asked).toContain('crm-enrichment-data');
    expect(asked.endsWith(refused('other-name', {}))).toBe(true);
    expect(account.changes).toEqual([]);
    account.tables.clear();
  });

  it('destroy finds secrets that a first deployment wrote before it had a stack', async () => {
    account.stacks.clear();
    account.parameters.set('/crm-enrichment/hubspot-access-token', '{}');
    const { output: kept } = await runDeployment('destroy', served.url);
    expect(kept).toBe(refused('no-stack-but-data', { stackName: 'crm-enrichment' }));
    const { output: asked } = await runDeployment('destroy', served.url, '--with-data');
    expect(asked.endsWith(refused('other-name', {}))).toBe(true);
    account.parameters.clear();
    const { output: none } = await runDeployment('destroy', served.url, '--with-data');
    expect(none).toBe(refused('no-stack', { stackName: 'crm-enrichment' }));
  });
});
