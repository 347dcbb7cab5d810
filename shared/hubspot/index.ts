export { API_VERSION } from './api-version.ts';
export type {
  AccountDetails,
  BatchFailure,
  EnsuredProperties,
  HubSpotClient,
  SearchFilter,
} from './types.ts';
export { parseWebhookEvent, type WebhookEvent } from './webhook-events.ts';
export {
  type SignedRequest,
  signWebhook,
  verifyActionSignature,
  verifyWebhookSignature,
} from './webhook-signature.ts';
