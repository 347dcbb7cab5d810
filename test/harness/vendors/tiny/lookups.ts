import type { Lookup, VendorOffer } from '#inside/vendor/vendor.ts';

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

/** What a vendor as small as can be offers: lookups, names and prices of its own. */
export const VENDOR = {
  name: 'tiny',
  label: 'tiny vendor',
  mark: '@tiny',
  ratePerMinute: 60,
  lookups: LOOKUPS,
} satisfies VendorOffer;
