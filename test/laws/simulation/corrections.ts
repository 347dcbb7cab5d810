import type { RecordName } from '#shared/crm';
import type { Properties } from '../../harness/hubspot-portal.ts';
import { someCompany, somePerson } from '../../harness/people.ts';
import type { World } from '../../harness/world.ts';

const WAYS = ['unknown', 'another', 'opaque', 'additional', 'website'] as const;

/** Words that are not in any name of the stand-in's people. */
const WORDS = [
  'quorrwick',
  'zebulon',
  'vexlip',
  'jumbrosk',
  'wyxmund',
  'obrinquast',
  'fendlewix',
  'kippzorn',
];

/** A person corrects or extends the identity of a record. HubSpot refuses an address that another contact has. */
export async function correct(world: World, record: RecordName, way: number, who: number): Promise<void> {
  const { portal } = world;
  const properties =
    record.objectType === 'contacts'
      ? contactCorrection(world, way, who)
      : companyCorrection(world, way, who);
  try {
    await portal.edit(record, properties);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('already')) throw error;
  }
}

function contactCorrection(world: World, way: number, who: number): Properties {
  const word = (place: number) => WORDS[place % WORDS.length] ?? '';
  switch (WAYS[way % WAYS.length]) {
    case 'unknown':
      return { email: `${word(who)}.${word(who + 3)}@unknown-firm.com` };
    case 'another':
      return { email: somePerson(world, 20 + who).job.email ?? '' };
    case 'opaque':
      return { email: `xq${who}@unknown-firm.com` };
    case 'additional':
      return { hs_additional_emails: `private${who}@gmail.com;xq${who}@second-firm.com` };
    default:
      return { website: `https://blog${who}.cooking-blog.com` };
  }
}

function companyCorrection(world: World, way: number, who: number): Properties {
  switch (WAYS[way % WAYS.length]) {
    case 'another':
      return { domain: someCompany(world, 20 + who).domains[0] ?? '' };
    case 'additional':
      return { hs_additional_domains: `second-firm${who}.com` };
    case 'website':
      return { website: `https://shop${who}.cooking-blog.com` };
    default:
      return { domain: `${WORDS[who % WORDS.length]}-unknown.com` };
  }
}
