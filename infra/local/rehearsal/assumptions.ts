import type { Assumption } from './assumption.ts';
import { DATA_SERVICE_ASSUMPTIONS } from './data-service-assumptions.ts';
import { RECORD_ASSUMPTIONS } from './record-assumptions.ts';
import { REQUEST_ASSUMPTIONS } from './request-assumptions.ts';
import { UNREHEARSED_ASSUMPTIONS, WEBHOOK_ASSUMPTIONS } from './webhook-assumptions.ts';

export const HUBSPOT_ASSUMPTIONS = [
  ...REQUEST_ASSUMPTIONS,
  ...RECORD_ASSUMPTIONS,
  ...WEBHOOK_ASSUMPTIONS,
  ...UNREHEARSED_ASSUMPTIONS,
];

/** All assumptions, by service. `docs/reference/assumptions.md` is generated from this list. */
export const ASSUMPTIONS: Readonly<Record<string, readonly Assumption[]>> = {
  HubSpot: HUBSPOT_ASSUMPTIONS,
  'The data service': DATA_SERVICE_ASSUMPTIONS,
};
