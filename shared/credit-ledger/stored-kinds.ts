import { kind } from '#shared/versioned-items';
import { ledgerEntrySchema } from './schemas.ts';

/**
 * An item has the fields of the entry, a key and a format. The items of an account are sorted by the entry's number.
 */
export const ledgerEntryKind = kind({
  name: 'ledger entry: operation, purpose, credits, keyed hash of the question',
  table: 'ledger',
  schema: ledgerEntrySchema,
  key: () => 'ledger',
  expiry: { kept: 'no expiry' },
  holdsPeople: false,
  bound: {
    open: 'MAX_OPEN; a reservation beyond it is refused.',
    unknown: 'Fields that a later version wrote into one entry.',
    'totals.expiring': 'Grants that a person booked; each goes after its last day.',
    'totals.leads.before': 'LEAD_DAYS; the oldest day is dropped.',
    'totals.periods': 'Today, this month, and those of the open reservations; others are dropped.',
  },
});
