import { expect, it } from 'vitest';
import type { StoredRequest } from '#inside/requests/schemas.ts';
import { DAY_MS } from '#shared/kernel';
import { requestKind } from '#shared/requests';

const RECORD = { objectType: 'contacts', recordId: '1', askedAtMs: 0 } as const;
const POLICY = { journalDays: 365, privacy: { keepDisclosures: 1_095 } };

const STORED: readonly (readonly [string, StoredRequest, number | undefined])[] = [
  ['a request of a person', { request: { ...RECORD, kind: 'quote', id: 'request-1' } }, DAY_MS],
  ['an execution of a workflow', { execution: { ...RECORD, callbackId: 'ap-1' } }, 8 * DAY_MS],
  [
    'a wrong match',
    {
      wrongMatch: {
        objectType: 'contacts',
        id: '1',
        questionKey: 'q',
        operation: 'personProfile',
        askedAtMs: 0,
        credits: 3,
        atMs: 0,
      },
    },
    undefined,
  ],
];

it.each(STORED)('%s expires at its own time', (_, stored, expected) => {
  expect(requestKind.expiry.at?.(stored, POLICY)).toBe(expected);
});
