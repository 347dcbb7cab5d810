import { describe, expect, it } from 'vitest';
import { cardOf } from '../harness/at-the-screen.ts';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { settleDown, undo } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

type Made = (world: World) => ReturnType<World['portal']['create']>;

/** Records of each status. The card takes its text from the same record state as `explain` and the spend page. */
const RECORDS: readonly (readonly [status: string, label: string, made: Made])[] = [
  ['enriched', 'Enriched', contact],
  [
    'enriched',
    'Enriched',
    async (world) => {
      const record = await contact(world);
      await settleDown(world);
      await undo(world, record, { property: 'jobtitle' });
      return record;
    },
  ],
  [
    'unmatched',
    'No match',
    (world) => world.portal.create('contacts', { hs_linkedin_url: 'https://www.linkedin.com/in/unheard-of' }),
  ],
  [
    'review',
    'Needs review',
    (world) =>
      world.portal.create('contacts', {
        ...{ email: 'somebody@former-employer.example', hs_linkedin_url: profileUrlOf(somePerson(world)) },
        hs_additional_emails: 'somebody@third.example',
      }),
  ],
  [
    'review',
    'Needs review',
    (world) =>
      world.portal.create('contacts', {
        ...{ email: somePerson(world).job.email ?? '', website: 'https://cooking-blog.example' },
        company: 'Quorrwick Kranbau',
      }),
  ],
];

describe('HubSpot and the card name the same status', () => {
  it.each(RECORDS)('%s, of record %#', async (status, label, made) => {
    const world = await createWorld();
    const record = await made(world);
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({ enrichment_status: status });
    const { view } = await cardOf(world, record).show();
    expect(view.standing).toMatchObject({ kind: 'ended', label });
  });
});
