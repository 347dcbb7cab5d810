import { kind } from '#shared/store';
import { storedRateLimiterSchema } from './schemas.ts';

export const rateLimiterKind = kind({
  name: "vendor's rate",
  prefix: 'rate-limiter',
  scope: 'buyer',
  table: 'state',
  schema: storedRateLimiterSchema,
  key: (mark: string) => mark,
  expiry: { kept: 'no expiry, one item for each vendor' },
  holdsPeople: false,
  bound: {
    slots: 'Requests of a minute; above 60 a minute, an entry a second and those in flight.',
    waiters: 'MAX_LISTED; a further waiter waits without being listed.',
    'window.endsAtMs': 'Workers that were answered within one minute; a new window begins without any.',
  },
});
