import type { CallResult, Lookup, VendorClient } from '#shared/vendor';
import type { Vendor } from '#shared/vendor/adapters';

/**
 * A vendor as small as can be, with lookups, names and prices of its own. It knows one company and its people, and sends
 * no request.
 */
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

const COMMON = { takes: [], identifies: true, options: {} } as const;
const LOOKUPS = {
  personByAddress: {
    ...COMMON,
    label: 'Person by address',
    words: 'by address',
    about: 'person',
    needs: [['email']],
    yields: ['id', 'firstName', 'lastName', 'title', 'employerName', 'employerDomain'],
    price: { match: 4, miss: 'full' },
  },
  companyBySite: {
    ...COMMON,
    label: 'Company by site',
    words: 'by site',
    about: 'company',
    needs: [['domain']],
    yields: ['name', 'domain', 'foundedYear', 'employeeCount'],
    price: { match: 2, miss: 'none' },
  },
} satisfies Readonly<Record<string, Lookup>>;

export const VENDOR = {
  name: 'tiny',
  label: 'tiny vendor',
  ratePerMinute: 60,
  lookups: LOOKUPS,
  open: openTiny,
} satisfies Vendor;

/** Its charges, in credits, a miss included. */
export const bill: number[] = [];

function openTiny(): VendorClient {
  const report = undefined;
  return {
    ask: async ({ operation, by }): Promise<CallResult> => {
      const isPerson = operation === 'personByAddress';
      bill.push(LOOKUPS[isPerson ? 'personByAddress' : 'companyBySite'].price.match);
      const record = isPerson
        ? PEOPLE.find(({ email }) => email === by.email)
        : [COMPANY].find(({ domain }) => domain === by.domain);
      return record ? { kind: 'found', record, results: 1, report } : { kind: 'no-match', report };
    },
    checkKey: async () => ({ kind: 'accepted', report, limited: false }),
  };
}
