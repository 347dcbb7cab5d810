import type { CallResult, VendorClient } from '#shared/vendor';
import type { VendorSettings } from '#shared/vendor/adapters';
import { VENDOR } from './lookups.ts';

/** It knows one company and its people, and sends no request. */
const COMPANY = { domain: 'valeco.com', name: 'Valeco', foundedYear: 1987, employeeCount: 120 };
const PEOPLE = ['nora', 'ida', 'ben'].map((first, nth) => ({
  id: `person-${nth}`,
  firstName: `${first[0]?.toUpperCase()}${first.slice(1)}`,
  lastName: 'Vale',
  title: 'Glazier',
  email: `${first}.vale@${COMPANY.domain}`,
  employerName: COMPANY.name,
  employerDomain: COMPANY.domain,
  raw: { shoe: { size: 40 + nth } },
}));

/** Its charges, in credits, a miss included. */
export const bill: number[] = [];

/** How its next requests end. `lost`: it charges, and its answer does not arrive. `killed`: the asker ends then. */
export const tinyVendor: { mood: 'well' | 'lost' | 'killed' | 'key-refused' } = { mood: 'well' };

export function openVendor(_given: VendorSettings): VendorClient {
  const report = undefined;
  return {
    ask: async ({ operation, by }): Promise<CallResult> => {
      if (tinyVendor.mood === 'key-refused')
        return { kind: 'declined', why: 'key-refused', reason: 'no-such-key', report };
      const isPerson = operation === 'personByAddress';
      bill.push(VENDOR.lookups[isPerson ? 'personByAddress' : 'companyBySite'].price.match);
      if (tinyVendor.mood === 'killed') throw new Error('The process ended.');
      if (tinyVendor.mood === 'lost') return { kind: 'unknown', reason: 'no-answer' };
      const record = isPerson
        ? PEOPLE.find(({ email }) => email === by.email)
        : [COMPANY].find(({ domain }) => domain === by.domain);
      return record ? { kind: 'found', record, results: 1, report } : { kind: 'no-match', report };
    },
    checkKey: async () => ({
      kind: tinyVendor.mood === 'key-refused' ? 'refused' : 'accepted',
      report,
      limited: false,
    }),
  };
}
