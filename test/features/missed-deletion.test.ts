import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import { statusKind } from '#shared/records';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { liveOn, settleDown } from '../harness/steps.ts';
import { populated, tracesOf } from '../harness/traces.ts';
import { createWorld, type World } from '../harness/world.ts';

/** No event of the end of a record ever arrives. */
const SILENT = { lostEvents: ['privacyDeletion', 'deletion', 'restore', 'merge'] };

/** A pass begins every week, and a second look follows after a day. */
const A_PASS = 9 * DAY_MS;

const live = (world: World, forMs = A_PASS) =>
  liveOn(world, { forMs, everyMs: (forMs < A_PASS ? 2 : 12) * HOUR_MS });

const missed = ({ logs }: World) => logs.filter(({ event }) => event === 'privacy-deletion-missed');

const isForgotten = async (world: World, record: RecordName) =>
  (await world.state(record))?.forgottenAtMs !== undefined;

async function twoContacts() {
  const world = await createWorld({ hubSpot: SILENT });
  const [one, other] = [await contact(world, 0), await contact(world, 1)];
  await settleDown(world);
  return { world, one, other };
}

describe('a privacy deletion whose event never arrives', () => {
  it('is found within nine days, and the person is forgotten everywhere', async () => {
    const { world, placesOf, one, other, contact } = await populated(SILENT);
    const others = placesOf(tracesOf(other));
    expect(placesOf(tracesOf(one))).not.toEqual([]);
    await world.portal.erase(contact);
    await live(world);
    expect(placesOf(tracesOf(one))).toEqual([]);
    expect(placesOf(tracesOf(other))).toEqual(others);
    expect(await world.state(contact)).toMatchObject({ forgottenAtMs: expect.any(Number), ownership: {} });
    expect(missed(world).map(({ fields }) => fields)).toEqual([{ recordId: `contacts#${contact.id}` }]);
    const charged = world.charged();
    const again = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(one) });
    await settleDown(world);
    expect(world.charged()).toBe(charged);
    expect(await world.state(again)).toMatchObject({ outcome: { kind: 'skipped' } });
  });

  it('is forgotten at the second look, a day or more after the first', async () => {
    const { world, one } = await twoContacts();
    await world.portal.erase(one);
    for (let hours = 0; hours < 8 * 24; hours += 2) {
      await live(world, 2 * HOUR_MS);
      if ((await world.items(statusKind).read(statusKind.key('deletions')))?.value.deletions?.suspects.length)
        break;
    }
    const { suspects = [] } =
      (await world.items(statusKind).read(statusKind.key('deletions')))?.value.deletions ?? {};
    expect(suspects).toMatchObject([{ id: one.id, seenAtMs: world.clock.now() }]);
    await live(world, 22 * HOUR_MS);
    expect(await isForgotten(world, one)).toBe(false);
    await live(world, 4 * HOUR_MS);
    expect(await isForgotten(world, one)).toBe(true);
  });

  it('that arrived rings no alarm: the audit finds no contact', async () => {
    const world = await createWorld();
    const [one] = [await contact(world, 0), await contact(world, 1)];
    await settleDown(world);
    await world.portal.erase(one);
    await live(world);
    expect(await isForgotten(world, one)).toBe(true);
    expect(missed(world)).toEqual([]);
  });
});

describe('the audit of deletions forgets no contact', () => {
  it('that is archived; after HubSpot has removed it, its data is forgotten and no alarm rings', async () => {
    const { world, one } = await twoContacts();
    await world.portal.archive(one);
    await live(world, 2 * A_PASS);
    expect(await isForgotten(world, one)).toBe(false);
    await liveOn(world, { forMs: 90 * DAY_MS, everyMs: 3 * DAY_MS });
    expect(await isForgotten(world, one)).toBe(true);
    expect(missed(world)).toEqual([]);
  });

  it('that is restored between the looks', async () => {
    const { world, one } = await twoContacts();
    await world.portal.archive(one);
    // Neither answer has the contact for a while, as when HubSpot lags.
    await world.portal.change({ faults: [NOT_FOUND(one)] });
    await live(world, 12 * HOUR_MS);
    const { suspects = [] } =
      (await world.items(statusKind).read(statusKind.key('deletions')))?.value.deletions ?? {};
    expect(suspects).toMatchObject([{ id: one.id }]);
    await world.portal.change({ faults: [] });
    await world.portal.restore(one);
    await live(world);
    expect(await isForgotten(world, one)).toBe(false);
    expect(
      (await world.items(statusKind).read(statusKind.key('deletions')))?.value.deletions?.suspects,
    ).toEqual([]);
  });

  it.each([
    ['for which HubSpot returns another error', { faults: [{ kind: 'status', status: 500, rate: 1 }] }],
    ['after the app has lost the scope for reading', { scopes: ['oauth'] }],
    ['after the app has lost the scope for account information', { scopes: ['crm.objects.contacts.read'] }],
    ['with a token of another portal', { portalId: 99 }],
  ])('%s', async (_, settings) => {
    const { world, one } = await twoContacts();
    await world.portal.erase(one);
    const { faults = [], ...others } = settings as { faults?: object[] };
    await world.portal.change({
      ...others,
      faults: faults.map((fault) => ({ ...fault, path: 'contacts/batch/read', recordId: one.id })) as never,
    });
    await live(world);
    expect(await isForgotten(world, one)).toBe(false);
  });

  it('while no known contact at all is returned', async () => {
    const { world, one, other } = await twoContacts();
    await world.portal.erase(one);
    await world.portal.erase(other);
    await live(world);
    expect(await isForgotten(world, one)).toBe(false);
    expect(await isForgotten(world, other)).toBe(false);
  });

  it('of a person with another contact: of two duplicates only the deleted one is forgotten', async () => {
    const world = await createWorld({ hubSpot: SILENT });
    const one = await contact(world, 0);
    const twin = await world.portal.create('contacts', {
      hs_linkedin_url: profileUrlOf(somePerson(world, 0)),
    });
    await settleDown(world);
    await world.portal.erase(one);
    await live(world);
    expect(await isForgotten(world, one)).toBe(true);
    expect(await isForgotten(world, twin)).toBe(false);
    expect(missed(world)).toHaveLength(1);
  });
});

const NOT_FOUND = ({ id }: RecordName) =>
  ({ path: 'contacts/batch/read', kind: 'status', status: 404, rate: 1, recordId: id }) as const;
