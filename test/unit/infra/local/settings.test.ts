import { describe, expect, it } from 'vitest';
import { readLocalSettings, SettingsError } from '../../../../infra/local/settings.ts';

const REAL = {
  DATA_SERVICE_BASE_URL: 'https://data.example',
  DATA_SERVICE_API_KEY: 'key',
  HUBSPOT_ACCESS_TOKEN: 'token',
  HUBSPOT_CLIENT_SECRET: 'secret',
  CREDITS_PER_DAY: '50',
};

function complaint(env: Record<string, string>, args: readonly string[] = []): string {
  try {
    readLocalSettings(args, env);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return 'no complaint';
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

  it('reads arguments, port and folder', () => {
    const env = { PORT: '8080', DATA_DIR: '/tmp/elsewhere' };
    expect(readLocalSettings(['--once', '--fresh'], env)).toMatchObject({
      once: true,
      fresh: true,
      dataFolder: '/tmp/elsewhere',
      port: 8_080,
    });
  });

  it('takes the address of a webhook, and refuses one that may not be used without quoting it', () => {
    expect(readLocalSettings([], {}).alertWebhookUrl).toBe('');
    const url = 'https://hooks.slack.com/services/x';
    expect(readLocalSettings([], { ALERT_WEBHOOK_URL: url }).alertWebhookUrl).toBe(url);
    expect(complaint({ ALERT_WEBHOOK_URL: 'http://s3cret.example' })).toBe(
      'ALERT_WEBHOOK_URL must be an address that starts with https://.',
    );
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
    expect(complaint({ ...REAL, [name]: '' })).toContain(name);
  });

  it.each([
    ['CREDITS_PER_DAY', '0'],
    ['CREDITS_PER_DAY', '-5'],
    ['CREDITS_PER_DAY', '1.5'],
    ['CREDITS_PER_DAY', 'many'],
    ['CREDITS_PER_DAY', 'Infinity'],
    ['DATA_SERVICE_BASE_URL', 'data.example'],
    ['DATA_SERVICE_BASE_URL', 'ftp://data.example'],
    ['DATA_SERVICE_BASE_URL', 'https://data.example?key=1'],
    ['HUBSPOT_BASE_URL', 'https://proxy.example/#there'],
    ['DATA_SERVICE_API_KEY', 'key '],
    ['HUBSPOT_ACCESS_TOKEN', 'tok\nen'],
    ['HUBSPOT_CLIENT_SECRET', 'geh\u00e4im'],
    ['WEBHOOK_PUBLIC_URL', 'hooks.example'],
    ['HUBSPOT_PORTAL_ID', 'my portal'],
    ['PORT', 'http'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
  ])('names %s when it is %j', (name, value) => {
    expect(complaint({ ...REAL, [name]: value })).toContain(name);
  });

  it('plays a month on stand-ins only', () => {
    expect(readLocalSettings(['--month'], {}).month).toBe(true);
    expect(complaint(REAL, ['--month'])).toContain('--month runs only on the stand-ins');
  });

  it('names an argument that it does not know', () => {
    expect(complaint({}, ['--twice'])).toMatch(/--twice.*--help/);
    expect(complaint({}, ['once'])).toMatch(/once/);
  });

  it('shows no secret in a complaint', () => {
    const env = {
      ...REAL,
      DATA_SERVICE_API_KEY: 'swordfish',
      CREDITS_PER_DAY: '',
      HUBSPOT_CLIENT_SECRET: '',
    };
    expect(complaint(env)).not.toContain('swordfish');
  });
});
