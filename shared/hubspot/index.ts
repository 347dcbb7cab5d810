export { API_VERSION } from './api-version.ts';
export type { EnsuredProperties } from './property-types.ts';
export type { SearchFilter } from './search-filter.ts';
export type { AccountDetails, BatchFailure, HubSpotClient } from './types.ts';
export { parseWebhookEvent, type WebhookEvent } from './webhook-events.ts';
export {
  type SignedRequest,
  signWebhook,
  verifyActionSignature,
  verifyWebhookSignature,
} from './webhook-signature.ts';
