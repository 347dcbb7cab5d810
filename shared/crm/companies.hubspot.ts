import type { HubSpotClient } from '#shared/hubspot/types.ts';
import type { CrmCompanies, FoundCompany } from './companies.ts';

/** HubSpot takes 3,000 characters of a search; the rest is for quotes, commas and what is around the values. */
const MAX_VALUE_CHARS = 2_000;

/** @param untilMs no request goes on after this, epoch milliseconds. */
export function createHubSpotCompanies(client: HubSpotClient, untilMs: number | undefined): CrmCompanies {
  return {
    withDomains: async (domains) => {
      const found: FoundCompany[] = [];
      for (const values of inSearches(domains)) {
        const filters = [{ propertyName: 'domain', operator: 'IN' as const, values }];
        const filterGroups = [{ filters }];
        const query = { objectType: 'companies', filterGroups, properties: ['domain'], untilMs } as const;
        for await (const { id, properties } of client.searchAll(query))
          found.push({ id, domain: properties['domain'] ?? '' });
      }
      return found;
    },
    ofContacts: (contactIds) => client.contactsWithCompany({ contactIds, untilMs }),
    associate: async (memberships) => {
      const refused = await client.associateContacts({ associations: memberships, untilMs });
      return new Map([...refused].map(([{ contactId }, reason]) => [contactId, reason]));
    },
    create: async ({ name, domain }) => {
      const properties = { name, domain };
      return (await client.createRecord({ objectType: 'companies', properties, untilMs })).id;
    },
  };
}

/** HubSpot compares texts as a whole: each domain is asked for as it stands and with `www.`. */
function inSearches(domains: readonly string[]): string[][] {
  const searches: string[][] = [];
  let leftChars = 0;
  for (const domain of new Set(domains)) {
    const values = [domain, `www.${domain}`];
    const chars = values.reduce((sum, value) => sum + value.length + '"",'.length, 0);
    if (chars > leftChars) {
      searches.push([]);
      leftChars = MAX_VALUE_CHARS;
    }
    searches.at(-1)?.push(...values);
    leftChars -= chars;
  }
  return searches;
}
