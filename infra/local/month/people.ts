import { isAboutPerson, type ObjectType, type RecordName } from '#shared/crm';
import type { Random } from '#shared/kernel';
import type { Properties } from '../virtual/people-at-hubspot.ts';
import type { Cast } from './cast.ts';
import type { World } from './world.ts';

export type People = ReturnType<typeof createPeople>;

const IMPORT = { source: 'IMPORT' };
const TITLES = ['Head of Partnerships', 'Procurement Lead', 'Interim CFO', 'Member of the Board'];

/** Actions of people in HubSpot during the month. */
export function createPeople(world: World, { cast, random }: { cast: Cast; random: Random }) {
  const { portal } = world;
  const createdRecords: RecordName[] = [];
  const create = async (objectType: ObjectType, properties: Properties, by: Properties = {}) => {
    createdRecords.push(await portal.create(objectType, properties, [], by));
  };
  const several = async (count: number, make: () => Promise<void>) => {
    for (let index = 0; index < count; index += 1) await make();
  };
  /** Draws a random contact that has our values. */
  const enrichedOne = async (): Promise<RecordName> => {
    for (let tries = 0; tries < 200; tries += 1) {
      const record = createdRecords[Math.floor(random() * createdRecords.length)];
      if (record === undefined || !isAboutPerson(record)) continue;
      const { enrichment_status: status, jobtitle } = await portal.properties(record);
      if (status === 'enriched' && jobtitle) return record;
    }
    throw new Error('No contact was enriched.');
  };
  return {
    lead: () => create('contacts', cast.lead()),
    company: () => create('companies', cast.company()),
    mover: () => create('contacts', cast.mover()),
    mixedUp: () => create('contacts', cast.mixedUp()),
    known: () => create('contacts', cast.byProfile()),
    /** Old customers, created before the installation. */
    customers: (count: number) =>
      several(count, async () => {
        await portal.create('contacts', { ...cast.byEmail(), lifecyclestage: 'customer' }, [], IMPORT);
      }),
    imported: (count: number) =>
      several(count, () => create('contacts', random() < 0.7 ? cast.byEmail() : cast.lead(), IMPORT)),
    /** Contacts from a trade fair. Each has a profile, so each lookup has the highest price. */
    fair: (count: number) => several(count, () => create('contacts', cast.byProfile())),
    retitle: async () => {
      const jobtitle = TITLES[Math.floor(random() * TITLES.length)] ?? '';
      await portal.edit(await enrichedOne(), { jobtitle });
    },
    clear: async () => portal.edit(await enrichedOne(), { city: '' }),
    request: async () => portal.edit(await enrichedOne(), { enrichment_requested: 'true' }),
    erase: async () => {
      const record = await enrichedOne();
      createdRecords.splice(createdRecords.indexOf(record), 1);
      await portal.erase(record);
    },
  };
}
