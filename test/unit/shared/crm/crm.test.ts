import { describe, expect, it } from 'vitest';
import { createDefinitionsCheck } from '#inside/crm/crm.hubspot.ts';
import {
  askerOfSource,
  askerWords,
  hubSpotFailureKind,
  isHubSpotFailure,
  type PropertyDefinition,
  type PropertyDefinitions,
  readAsker,
  sourceOfAsker,
} from '#shared/crm';
import type { HttpErrorCode } from '#shared/http';
import { UpstreamError } from '#shared/kernel';

describe('an asker', () => {
  it.each([
    ['user:12345', 'user:12345'],
    [`user:${'9'.repeat(20)}`, `user:${'9'.repeat(20)}`],
    [`user:${'9'.repeat(21)}`, 'user'],
    ['user:jane@acme.example', 'user'],
    ['user', 'user'],
    ['workflow:7', 'workflow:7'],
    ['source:IMPORT', 'source:IMPORT'],
    ['source:import', 'source'],
    [`source:${'X'.repeat(40)}`, `source:${'X'.repeat(40)}`],
    [`source:${'X'.repeat(41)}`, 'source'],
    ['source:<script>', 'source'],
    ['backfill:0a1b-2c', 'backfill:0a1b-2c'],
    ['schedule', 'schedule'],
    ['schedule:1', 'schedule'],
    ['operator', 'operator'],
    ['', undefined],
    ['jane@acme.example', undefined],
    ['constructor', undefined],
    [undefined, undefined],
    [['user'], undefined],
  ])('given as %j is read as %j', (given, read) => {
    expect(readAsker(given)).toBe(read);
  });

  it.each([
    ['CRM_UI', 'userId:42', 'user:42'],
    ['CRM_UI_BULK_ACTION', 'userId:42', 'user:42'],
    ['CRM_UI', undefined, 'user'],
    ['CRM_UI', 'jane@acme.example', 'user'],
    ['FORM', 'userId:42', 'source:FORM'],
    ['INTEGRATION', '4711', 'source:INTEGRATION'],
    ['AUTOMATION_PLATFORM', 'enrollmentId:1', 'workflow'],
    ['', undefined, 'source'],
    ['Jane Doe', undefined, 'source'],
  ])('of the source %s with the id %s is %s', (source, sourceId, asker) => {
    expect(askerOfSource(source, sourceId)).toBe(asker);
  });

  it.each([
    ['user:12345', 'User 12345', 'user'],
    ['user', 'User', 'user'],
    ['workflow:7', 'Workflow 7', 'workflow'],
    ['source:FORM', 'Form', 'source:FORM'],
    ['source:AUTO_ASSOCIATE_BY_DOMAIN', 'HubSpot, by domain', 'source:AUTO_ASSOCIATE_BY_DOMAIN'],
    ['source:MEETINGS', 'Source MEETINGS', 'source:MEETINGS'],
    ['backfill:b1', 'Backfill b1', 'backfill'],
    ['schedule', 'Scheduled refresh', 'schedule'],
    ['agent:9', 'agent:9', 'agent'],
  ])('%s is shown as %s, and its source is %s', (asker, words, source) => {
    expect([askerWords(asker), sourceOfAsker(asker)]).toEqual([words, source]);
  });
});

const defining = (...names: string[]): PropertyDefinitions =>
  new Map(names.map((name) => [name, { name } as PropertyDefinition]));

/** Definitions that are kept, and those that HubSpot has by now. */
function kept(names: readonly string[] | undefined, now: readonly string[]) {
  let value = names && Promise.resolve(defining(...names));
  const asked = { reads: 0 };
  const read = () => {
    value ??= Promise.resolve(defining(...now)).finally(() => {
      asked.reads += 1;
    });
    return value;
  };
  const forget = () => {
    value = undefined;
  };
  return { asked, read, check: createDefinitionsCheck({ read, kept: () => value, forget }) };
}

const blank = { properties: { tier: null } };

const without = { properties: {} };

it('reads definitions anew when a record lacks a property that they name', async () => {
  const { check, read, asked } = kept(['tier'], []);
  await check.refreshIfContradicted('contacts', ['tier'], [blank]);
  expect(asked.reads).toBe(0);
  await check.refreshIfContradicted('contacts', ['tier'], [blank, without]);
  expect((await read()).has('tier')).toBe(false);
  await check.refreshIfContradicted('contacts', ['tier'], [without]);
  expect(asked.reads).toBe(1);
});

it('reads them anew when a record has a property that they do not name', async () => {
  const { check, read } = kept([], ['tier']);
  await check.refreshIfContradicted('contacts', ['tier'], [blank]);
  expect((await read()).has('tier')).toBe(true);
});

it('reads them once for a property that HubSpot defines and leaves out all the same', async () => {
  const { check, asked } = kept(['tier'], ['tier']);
  for (let batch = 0; batch < 3; batch += 1)
    await check.refreshIfContradicted('contacts', ['tier'], [without]);
  expect(asked.reads).toBe(1);
});

it('reads nothing for properties that are not asked for, and while none are kept', async () => {
  const { check, asked } = kept(['tier'], ['tier']);
  await check.refreshIfContradicted('contacts', ['other'], [without]);
  const none = kept(undefined, ['tier']);
  await none.check.refreshIfContradicted('contacts', ['tier'], [without]);
  expect([asked.reads, none.asked.reads]).toEqual([0, 0]);
});

const TRANSPORT: Readonly<Record<HttpErrorCode, true>> = {
  HTTP_NOT_SENT: true,
  HTTP_TIMEOUT: true,
  HTTP_CONNECTION_LOST: true,
  HTTP_ABORTED: true,
  HTTP_RESPONSE_TOO_LARGE: true,
};

it.each(Object.keys(TRANSPORT))('%s is a failure without an answer of HubSpot', (code) => {
  expect(hubSpotFailureKind(code)).toBe('unreachable');
});

it('a code that only begins like one of HubSpot is none', () => {
  const error = new UpstreamError({ code: 'HUBSPOT_OTHER', message: '', retryable: true });
  expect(isHubSpotFailure(error)).toBe(false);
});
