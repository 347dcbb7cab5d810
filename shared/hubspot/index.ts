export { API_VERSION } from './api-version.ts';
export { type FailureKind, HUBSPOT_ERRORS, type HubSpotErrorCode } from './errors.ts';
export type {
  AccountDetails,
  ActionCallback,
  Association,
  BatchFailure,
  EnsuredProperties,
  HubSpotClient,
  IdLookup,
  PropertySpec,
  PropertyVersion,
  SearchFilter,
} from './types.ts';
export {
  parseWebhookEvent,
  type SignedRequest,
  signWebhook,
  verifyActionSignature,
  verifyWebhookSignature,
  type WebhookEvent,
} from './webhooks.ts';
