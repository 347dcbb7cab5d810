import { describe, expect, it } from 'vitest';
import { ConfigurationError, readStackSettings, withPolicy } from '../../infra/aws/configuration.ts';
import { DELIVERED } from './synthesised.ts';

const settings = (overrides: Readonly<Record<string, unknown>> = {}) =>
  readStackSettings({ ...DELIVERED, ...overrides });

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
  ])('refuses %s = %j in one sentence that names it', (key, value) => {
    const sentence = new RegExp(
      `^In the context of cdk\\.json "${key}" must (?:be|have) [^.]+(?:\\.\\d[^.]*)*\\.$`,
    );
    expect(() => settings({ [key]: value })).toThrow(sentence);
    expect(() => settings({ [key]: value })).toThrow(ConfigurationError);
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

  it('says why there are no more workers, and takes an empty text as nothing', () => {
    expect(() => settings({ liveConcurrency: 11 })).toThrow(/vendor's rate/);
    expect(settings({ alarmEmail: '' })).not.toHaveProperty('alarmEmail');
    expect(() => settings({ stackName: '' })).toThrow('lacks "stackName"');
  });

  it('names a setting that is missing and one that there is not', () => {
    expect(() => settings({ logRetentionDays: undefined })).toThrow(/"logRetentionDays"/);
    const { refreshSchedule: _, ...rest } = DELIVERED;
    expect(() => readStackSettings(rest)).toThrow('The context of cdk.json lacks "refreshSchedule".');
    expect(() => settings({ publicURL: 'https://x.example' })).toThrow(
      'The context of cdk.json has "publicURL", which is no setting.',
    );
  });

  it('refuses a policy that cannot be used, by file and key', () => {
    expect(() => withPolicy(settings(), { budgets: { perDay: -1 } })).toThrow(
      /^infra\/policy\.ts: .*budgets\.perDay/,
    );
    expect(() => withPolicy(settings(), {})).toThrow(/^infra\/policy\.ts: .*budgets/);
    expect(() => withPolicy(settings(), undefined)).toThrow(ConfigurationError);
  });
});
