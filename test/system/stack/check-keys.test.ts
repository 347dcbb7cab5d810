import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installationMark, withMark } from '#shared/field-policy';
import { API_VERSION } from '#shared/hubspot';
import { createDigest } from '#shared/kernel/adapters';
import { ConfigurationError } from '../../../infra/aws/configuration-faults.ts';
import { checkKeys, type KeysWish } from '../../../infra/aws/deploy/check-keys.ts';
import type { GivenKeys } from '../../../infra/aws/deploy/secrets.ts';
import { type StandIns, startStandIns } from '../aws/stand-ins.ts';

let standIns: StandIns;
const warnings: string[] = [];
beforeAll(async () => {
  standIns = await startStandIns();
});
afterAll(() => standIns.close());
beforeEach(() => void warnings.splice(0));

const check = (keys: GivenKeys, change: Partial<KeysWish> = {}) =>
  checkKeys(keys, {
    settings: { dataServiceBaseUrl: standIns.dataServiceUrl, hubSpotBaseUrl: standIns.hubSpotUrl },
    installationSecret: async () => 'secret of this installation',
    isSecondMeant: false,
    warn: (line) => void warnings.push(line),
    ...change,
  });
const token = () => ({ hubSpotAccessToken: standIns.keys.hubSpotAccessToken });

describe('keys, before they are stored', () => {
  it('are accepted by both services, at no cost', async () => {
    const { dataServiceApiKey } = standIns.keys;
    await check({ dataServiceApiKey, ...token() });
    await check({});
    expect([warnings, standIns.charged()]).toEqual([[], 0]);
  });

  it.each([
    ['dataServiceApiKey', 'DATA_SERVICE_API_KEY'],
    ['hubSpotAccessToken', 'HUBSPOT_ACCESS_TOKEN'],
  ] as const)('stop the deployment when the service refuses them: %s', async (key, variable) => {
    const attempt = check({ [key]: 'of-somebody-else' });
    await expect(attempt).rejects.toThrow(ConfigurationError);
    await expect(attempt).rejects.toMatchObject({ code: 'key-refused', params: { variable } });
    await expect(attempt).rejects.not.toThrow('of-somebody-else');
  });

  it('stop it when the token is of another account than the setting says', async () => {
    const settings = {
      dataServiceBaseUrl: standIns.dataServiceUrl,
      hubSpotBaseUrl: standIns.hubSpotUrl,
      hubSpotPortalId: '1',
    };
    const params = { meant: '1' };
    await expect(check(token(), { settings })).rejects.toMatchObject({ code: 'other-account', params });
  });

  it('are stored with a warning when a service does not answer', async () => {
    const settings = { dataServiceBaseUrl: 'http://127.0.0.1:9', hubSpotBaseUrl: standIns.hubSpotUrl };
    await check({ dataServiceApiKey: 'key' }, { settings });
    expect(warnings).toEqual([expect.stringContaining('DATA_SERVICE_API_KEY')]);
  });
});

describe('a second installation on a HubSpot account', () => {
  /** As the set-up of another installation leaves it. */
  beforeAll(async () => {
    const description = withMark('Enrichment', installationMark(createDigest('of another installation')));
    const property = { name: 'enrichment_status', label: 'Status', type: 'string', fieldType: 'text' };
    const { status } = await fetch(`${standIns.hubSpotUrl}/crm/properties/${API_VERSION}/contacts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${standIns.keys.hubSpotAccessToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...property, groupName: 'contactinformation', description }),
    });
    expect(status).toBe(201);
  });

  it('is refused unless it is asked for', async () => {
    const code = 'second-installation';
    await expect(check(token())).rejects.toMatchObject({ code });
    await expect(check(token(), { installationSecret: async () => undefined })).rejects.toMatchObject({
      code,
    });
    await check(token(), { isSecondMeant: true });
  });

  it('is no question where the mark is our own', async () => {
    await check(token(), { installationSecret: async () => 'of another installation' });
  });
});
