export { createHubSpotClient } from './hubspot-client.ts';
