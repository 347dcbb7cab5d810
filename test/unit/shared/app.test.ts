import { expect, it } from 'vitest';
import { gateway, ledger, openApp, openParts, records, vendor, type WholeSettings } from '#shared/app';
import { parsePolicy } from '#shared/field-policy';
import { systemClock as clock, createDigest } from '#shared/kernel/adapters';
import { openMemoryStore } from '../../harness/memory-items.ts';

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Settings whose use is noted by name, with a sender that no part may call at its opening. */
function notedSettings() {
  const used: string[] = [];
  const noted = <T extends object>(name: string, it: T): T =>
    new Proxy(it, {
      get: (target, key) => {
        used.push(name);
        return Reflect.get(target, key);
      },
    });
  const settings: WholeSettings = {
    store: openMemoryStore(),
    policy: parsePolicy({ budgets: { perDay: 1 } }),
    digest: noted('digest', createDigest('an installation secret of a test')),
    dataService: noted('dataService', { baseUrl: 'https://data.example', apiKey: 'key' }),
    hubSpot: noted('hubSpot', { accessToken: 'token' }),
    send: () => Promise.reject(new Error('sent while it was opened')),
    logger: SILENT,
    clock,
    random: () => 0.5,
    newId: () => {
      used.push('newId');
      return 'an-id-of-a-test';
    },
  };
  return { settings, used };
}

it('opens each part of the app at its first use, and once', () => {
  const { settings, used } = notedSettings();
  const app = openApp(settings);
  expect(app.records).toBe(app.records);
  expect(used).toEqual([]);
  expect(app.questions.breakers).toBe(app.breakers);
  expect(new Set(used)).toEqual(new Set(['digest', 'dataService', 'newId']));
  expect(app.crm.read).toBeInstanceOf(Function);
  expect(new Set(used)).toEqual(new Set(['digest', 'dataService', 'newId', 'hubSpot']));
});

it('opens all parts without a request', () => {
  const parts = { ...openApp(notedSettings().settings) };
  expect(Object.values(parts)).not.toContain(undefined);
});

it('opens parts for a program without a key or a secret, and its types refuse the others', () => {
  const { digest, dataService: _, hubSpot, send, logger, ...settings } = notedSettings().settings;
  expect(openParts(settings, { records }).records).toBe(records(settings));
  // The type check fails if one of these lines stops being an error.
  const misuse = () => [
    // @ts-expect-error The ledger needs the installation's secret.
    openParts(settings, { ledger }),
    // @ts-expect-error A request to the data service needs its key.
    openParts({ ...settings, digest, send, logger }, { gateway }),
    // @ts-expect-error It needs the key itself, too.
    vendor({ ...settings, hubSpot }),
  ];
  expect(misuse).toBeInstanceOf(Function);
});
