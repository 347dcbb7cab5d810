import { expect, it } from 'vitest';
import { bannerOf } from '../../../../infra/local/banner.ts';

type Started = Parameters<typeof bannerOf>[0];

it('prints the addresses of both stand-ins', () => {
  const sandbox = { hubSpotUrl: 'http://127.0.0.1:1', dataServiceUrl: 'http://127.0.0.1:2' };
  const started = {
    ...{ settings: { policyFile: 'policy.ts' }, policy: { version: 'a' }, vendors: { sandbox }, notes: [] },
    ...{ path: 'data', installedAtMs: 0, publicUrl: 'http://127.0.0.1:3/hubspot', url: 'http://127.0.0.1:3' },
    logFile: 'log.jsonl',
  } as unknown as Started;
  const rows = bannerOf(started).map((line) => line.trim().split(/ {2,}/).slice(0, 2));
  expect(rows).toContainEqual(['HubSpot', sandbox.hubSpotUrl]);
  expect(rows).toContainEqual(['Data service', sandbox.dataServiceUrl]);
});
