export type { EnsuredProperties } from './property-types.ts';
export type { SearchFilter } from './search-filter.ts';
export { API_VERSION } from './transport.ts';
export type { AccountDetails, BatchFailure, HubSpotClient } from './types.ts';
export { parseWebhookEvent, type WebhookEvent } from './webhook-events.ts';
export {
  type SignedRequest,
  signWebhook,
  verifyActionSignature,
  verifyWebhookSignature,
} from './webhook-signature.ts';
