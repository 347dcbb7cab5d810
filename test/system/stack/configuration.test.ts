import { describe, expect, it } from 'vitest';
import { readStackSettings, withPolicy } from '../../../infra/aws/configuration.ts';
import { CONFIGURATION_FAULTS, ConfigurationError } from '../../../infra/aws/configuration-faults.ts';
import { sentenceFaults, textFaults } from '../../harness/catalogue.ts';
import { DELIVERED } from './synthesised.ts';

const settings = (overrides: Readonly<Record<string, unknown>> = {}) =>
  readStackSettings({ ...DELIVERED, ...overrides });

function refusalOf(act: () => unknown): ConfigurationError | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  return undefined;
}

it('every refusal of a deployment is a sentence, with another for what to do', () => {
  for (const [code, words] of Object.entries(CONFIGURATION_FAULTS))
    if (typeof words === 'string') expect(sentenceFaults(words), code).toEqual([]);
});

describe('configuration', () => {
  it('takes the delivered settings, and numbers given as text on the command line', () => {
    expect(settings({ liveConcurrency: '7', hubSpotAppId: 4711, webhookAllowV1: 'true' })).toMatchObject({
      stackName: 'crm-enrichment',
      liveConcurrency: 7,
      requestsPerMinute: 20,
      hubSpotAppId: '4711',
      webhookAllowV1: true,
    });
  });

  it.each([
    ['stackName', 'two words'],
    ['stackName', 'crm-data'],
    ['stackName', 'AWS-crm'],
    ['policy', 'policy.json'],
    ['dataServiceBaseUrl', 'api.service.example'],
    ['hubSpotBaseUrl', 'ftp://api.example'],
    ['hubSpotAppId', 'my app'],
    ['hubSpotPortalId', 'my portal'],
    ['webhookAllowV1', 'yes'],
    ['publicUrl', 'hooks'],
    ['reconcileSchedule', 'every minute'],
    ['reconcileSchedule', 'rate(0 minutes)'],
    ['reconcileSchedule', 'rate(16 minutes)'],
    ['reconcileSchedule', 'rate(1 hour)'],
    ['reconcileSchedule', 'cron(0/5 * * * ? *)'],
    ['refreshSchedule', 'rate(0 hours)'],
    ['refreshSchedule', 'rate(59 minutes)'],
    ['refreshSchedule', 'rate(8 days)'],
    ['refreshSchedule', 'cron(0 3 * *)'],
    ['requestsPerMinute', 0],
    ['requestsPerMinute', '1001'],
    ['requestsPerMinute', 'many'],
    ['liveConcurrency', 1],
    ['liveConcurrency', 2.5],
    ['liveConcurrency', 11],
    ['bulkConcurrency', '1000'],
    ['bulkConcurrency', 'two'],
    ['logRetentionDays', 31],
    ['tracing', 'yes'],
    ['alarmEmail', 'nobody'],
  ])('refuses %s = %j and names it', (key, value) => {
    const refused = refusalOf(() => settings({ [key]: value }));
    expect(refused).toMatchObject({ code: 'wrong-setting', params: { key } });
    expect(textFaults(refused?.message ?? '')).toEqual([]);
  });

  it.each([
    ['reconcileSchedule', 'rate(1 minute)'],
    ['reconcileSchedule', 'rate(15 minutes)'],
    ['refreshSchedule', 'rate(60 minutes)'],
    ['refreshSchedule', 'rate(7 days)'],
    ['refreshSchedule', 'cron(0 3 * * ? *)'],
    ['liveConcurrency', 10],
    ['requestsPerMinute', 600],
  ])('takes %s = %j', (key, value) => {
    expect(settings({ [key]: value })).toMatchObject({ [key]: value });
  });

  it('takes an empty text as nothing', () => {
    expect(settings({ alarmEmail: '' })).not.toHaveProperty('alarmEmail');
  });

  const { refreshSchedule: _, ...withoutRefresh } = DELIVERED;
  it.each([
    ['missing-setting', 'stackName', { ...DELIVERED, stackName: '' }],
    ['missing-setting', 'logRetentionDays', { ...DELIVERED, logRetentionDays: undefined }],
    ['missing-setting', 'refreshSchedule', withoutRefresh],
    ['unknown-setting', 'publicURL', { ...DELIVERED, publicURL: 'https://x.example' }],
  ])('refuses a %s: %s', (code, key, context) => {
    expect(refusalOf(() => readStackSettings(context))).toMatchObject({ code, params: { key } });
  });

  it('answers a misspelt setting with the settings, also if the setting must be there', () => {
    const { stackName, ...others } = DELIVERED;
    const refused = refusalOf(() => readStackSettings({ ...others, stakName: stackName }));
    const known = expect.stringContaining('stackName');
    expect(refused).toMatchObject({ code: 'unknown-setting', params: { key: 'stakName', known } });
  });

  it('refuses a policy that cannot be used, by file and key', () => {
    const file = 'infra/policy.ts';
    for (const [policy, key] of [
      [{ budgets: { perDay: -1 } }, 'budgets.perDay'],
      [{}, 'budgets'],
      [undefined, ''],
    ] as const) {
      const refused = refusalOf(() => withPolicy(settings(), policy));
      expect(refused).toMatchObject({ code: 'policy-invalid', params: { file } });
      expect(refused?.message).toContain(key);
    }
  });
});
