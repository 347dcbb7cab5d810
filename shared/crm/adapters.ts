export { createHubSpotCrm } from './crm.hubspot.ts';
