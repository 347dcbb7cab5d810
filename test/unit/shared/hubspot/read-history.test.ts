import { describe, expect, it } from 'vitest';
import { contact, createFakeHubSpot } from './fake-hubspot.ts';

const ask = { objectType: 'contacts', properties: ['jobtitle', 'phone'] } as const;

describe('readHistory', () => {
  it('gives the entries of each property, newest first, whatever their order', async () => {
    const hubspot = createFakeHubSpot();
    const propertiesWithHistory = {
      jobtitle: [
        { value: 'Potter', timestamp: '2029-01-01T00:00:00Z', sourceType: 'CRM_UI', sourceId: 'userId:1' },
        { value: 'Weaver', timestamp: '2029-06-01T00:00:00Z', sourceType: 'INTEGRATION', sourceId: 7001 },
      ],
      phone: [],
    };
    const results = [{ id: '1', properties: {}, propertiesWithHistory }];
    hubspot.interruptions.push({ status: 200, body: { results } });
    const { byAskedId, missing, failed } = await hubspot.client().readHistory({ ...ask, ids: ['1'] });
    expect(byAskedId.get('1')).toEqual({
      jobtitle: [
        {
          value: 'Weaver',
          timestampMs: Date.UTC(2029, 5, 1),
          sourceType: 'INTEGRATION',
          sourceId: '7001',
        },
        {
          value: 'Potter',
          timestampMs: Date.UTC(2029, 0, 1),
          sourceType: 'CRM_UI',
          sourceId: 'userId:1',
        },
      ],
      phone: [],
    });
    expect([missing, failed]).toEqual([[], []]);
  });

  it('follows merges and tells what is gone', async () => {
    const hubspot = createFakeHubSpot([contact(90, { mergedIds: ['10'] })]);
    const { byAskedId, missing } = await hubspot.client().readHistory({ ...ask, ids: ['10', '404'] });
    expect([...byAskedId.keys()]).toEqual(['10']);
    expect(missing).toEqual(['404']);
  });
});
