import { describe, expect, it } from 'vitest';
import { readLocalSettings } from '../../../../infra/local/settings.ts';
import { SettingsError } from '../../../../infra/local/settings-error.ts';

const REAL = {
  DATA_SERVICE_BASE_URL: 'https://data.example',
  DATA_SERVICE_API_KEY: 'key',
  HUBSPOT_ACCESS_TOKEN: 'token',
  HUBSPOT_CLIENT_SECRET: 'secret',
  CREDITS_PER_DAY: '50',
};

function complaint(env: Record<string, string>, args: readonly string[] = []): SettingsError | undefined {
  try {
    readLocalSettings(args, env);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  return undefined;
}

describe('readSettings', () => {
  it('takes the stand-ins where nothing is set', () => {
    expect(readLocalSettings([], {})).toMatchObject({
      once: false,
      fresh: false,
      dataFolder: '.data',
      port: 0,
    });
    expect(readLocalSettings([], {}).real).toBeUndefined();
    expect(
      readLocalSettings([], { DATA_SERVICE_API_KEY: '', HUBSPOT_ACCESS_TOKEN: '' }).real,
    ).toBeUndefined();
  });

  it('takes the address of a webhook, and refuses one that may not be used without quoting it', () => {
    expect(readLocalSettings([], {}).alertWebhookUrl).toBe('');
    const url = 'https://hooks.slack.com/services/x';
    expect(readLocalSettings([], { ALERT_WEBHOOK_URL: url }).alertWebhookUrl).toBe(url);
    const refused = complaint({ ALERT_WEBHOOK_URL: 'http://s3cret.example' });
    expect(refused).toMatchObject({
      code: 'alert-address-refused',
      params: { setting: 'ALERT_WEBHOOK_URL' },
      message: expect.not.stringContaining('s3cret'),
    });
  });

  it('takes the real services with all their settings and a budget', () => {
    expect(readLocalSettings([], REAL).real).toMatchObject({
      dataServiceBaseUrl: 'https://data.example',
      dataServiceApiKey: 'key',
      creditsPerDay: 50,
    });
    const slashed = { ...REAL, DATA_SERVICE_BASE_URL: 'https://data.example/api-of-it/' };
    expect(readLocalSettings([], slashed).real?.dataServiceBaseUrl).toBe('https://data.example/api-of-it');
    const settings = readLocalSettings([], { ...REAL, WEBHOOK_PUBLIC_URL: 'https://hooks.example/x' });
    expect(settings.real?.publicUrl).toBe('https://hooks.example/x');
    expect(readLocalSettings([], { ...REAL, HUBSPOT_PORTAL_ID: '24' }).real?.hubSpotPortalId).toBe('24');
    expect(readLocalSettings([], { ...REAL, HUBSPOT_PORTAL_ID: '' }).real?.hubSpotPortalId).toBeUndefined();
  });

  it.each(Object.keys(REAL))('names %s when it alone is missing', (name) => {
    const isBudget = name === 'CREDITS_PER_DAY';
    expect(complaint({ ...REAL, [name]: '' })).toMatchObject({
      code: isBudget ? 'no-budget' : 'settings-missing',
      params: isBudget ? { setting: name } : { settings: [name] },
    });
  });

  it.each([
    ['CREDITS_PER_DAY', '0', 'not-a-number'],
    ['CREDITS_PER_DAY', '1.5', 'not-a-number'],
    ['CREDITS_PER_DAY', 'Infinity', 'not-a-number'],
    ['DATA_SERVICE_BASE_URL', 'ftp://data.example', 'not-an-address'],
    ['DATA_SERVICE_BASE_URL', 'https://data.example?key=1', 'address-with-query'],
    ['HUBSPOT_BASE_URL', 'https://proxy.example/#there', 'address-with-query'],
    ['DATA_SERVICE_API_KEY', 'key ', 'not-visible-ascii'],
    ['HUBSPOT_CLIENT_SECRET', 'geh\u00e4im', 'not-visible-ascii'],
    ['HUBSPOT_PORTAL_ID', 'my portal', 'not-an-id'],
    ['PORT', '0', 'not-a-port'],
    ['PORT', '65536', 'not-a-port'],
  ])('names %s when it is %j', (setting, value, code) => {
    expect(complaint({ ...REAL, [setting]: value })).toMatchObject({ code, params: { setting } });
  });

  it('plays a month on stand-ins only', () => {
    expect(readLocalSettings(['--month'], {}).month).toBe(true);
    expect(readLocalSettings(['--seed', '7'], {}).seed).toBe(7);
    for (const args of [['--month'], ['--seed', '7']])
      expect(complaint(REAL, args)).toMatchObject({ code: 'stand-ins-only', params: { option: args[0] } });
    expect(complaint({}, ['--seed', '0'])).toMatchObject({ code: 'not-a-number' });
  });

  it('shows no secret in a complaint', () => {
    const env = {
      ...REAL,
      DATA_SERVICE_API_KEY: 'swordfish',
      CREDITS_PER_DAY: '',
      HUBSPOT_CLIENT_SECRET: '',
    };
    const { message, params } = complaint(env) ?? {};
    expect(JSON.stringify([message, params])).not.toContain('swordfish');
  });
});
