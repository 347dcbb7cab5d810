import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage, type WorkMessage } from '#shared/work-queue';

const MESSAGE: WorkMessage = {
  objectType: 'companies',
  id: '546500000001',
  purpose: 'refresh',
  eventKeys: ['62515:object.creation@companies:1:2:3'],
  portalId: '62515',
};

function changed(more: Record<string, unknown>): string {
  return JSON.stringify({ ...JSON.parse(encodeMessage(MESSAGE)), ...more });
}

describe('a message', () => {
  it('comes back as it went in', () => {
    expect(decodeMessage(encodeMessage(MESSAGE))).toEqual(MESSAGE);
    expect(decodeMessage(encodeMessage({ ...MESSAGE, eventKeys: [] }))).toEqual({
      ...MESSAGE,
      eventKeys: [],
    });
  });

  it('carries nothing but ids', () => {
    expect(decodeMessage(changed({ email: 'jane@acme.example' }))).toEqual(MESSAGE);
  });

  it('carries its asker, and no more of one in an unknown form', () => {
    const asked = { ...MESSAGE, askedBy: 'user:42' };
    expect(decodeMessage(encodeMessage(asked))).toEqual(asked);
    expect(decodeMessage(changed({ askedBy: 'user:jane@acme.example' }))).toEqual({
      ...MESSAGE,
      askedBy: 'user',
    });
    for (const askedBy of [7, null, 'jane@acme.example', ['user:42']])
      expect(decodeMessage(changed({ askedBy }))).toEqual(MESSAGE);
  });

  it.each([
    '',
    'text',
    '7',
    'null',
    '[]',
    '"a"',
    '{}',
    changed({ version: 2 }),
    changed({ version: '1' }),
    changed({ objectType: 'deals' }),
    changed({ objectType: 'constructor' }),
    changed({ id: 7 }),
    changed({ id: '' }),
    changed({ id: '7#8' }),
    changed({ id: '7'.repeat(21) }),
    changed({ purpose: 'fun' }),
    changed({ purpose: null }),
    changed({ eventKeys: 'a' }),
    changed({ eventKeys: [1] }),
    changed({ eventKeys: undefined }),
    changed({ portalId: 62_515 }),
    changed({ portalId: 'x' }),
    changed({ portalId: null }),
  ])('%j is none of ours', (body) => {
    expect(decodeMessage(body)).toBeUndefined();
  });
});
