import { describe, expect, it } from 'vitest';
import { askerOfSource, askerWords, readAsker, sourceOfAsker, withNamedAskers } from '#shared/crm';

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

describe('the askers of a day', () => {
  const rows = Array.from({ length: 12 }, (_, nth) => ({ askedBy: `user:${nth}`, day: 'a' }));

  it('are named up to ten of a kind; those that come later count for the kind', () => {
    const named = withNamedAskers([
      ...rows,
      { askedBy: 'user:3', day: 'a' },
      { askedBy: 'source:FORM', day: 'a' },
    ]);
    expect(named.map(({ askedBy }) => askedBy)).toEqual([
      ...Array.from({ length: 10 }, (_, nth) => `user:${nth}`),
      ...['user', 'user', 'user:3', 'source:FORM'],
    ]);
  });

  it('leave a row without an id as it is', () => {
    const plain = [{ askedBy: 'schedule', day: 'a' }, { day: 'a' }];
    expect(withNamedAskers(plain)).toEqual(plain);
  });
});
