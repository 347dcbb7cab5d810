import type { Send } from '#shared/http';
import type { Clock, Random } from '#shared/kernel';
import type { VendorClient } from './vendor.ts';

/** What a vendor's connection is opened with. */
export interface VendorSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly send: Send;
  readonly clock: Clock;
  readonly random: Random;
  readonly timeoutMs: number;
  /** Called for the first answer in which a field of a lookup has an unexpected type or a value that is no value. */
  readonly onDrift?: (notice: { readonly operation: string; readonly field: string }) => void;
  /** Called for each miss with an unpublished wording, with its words that are not personal data. */
  readonly onUnknownMiss?: (words: string) => void;
}

/** Opens a vendor's connection. Sends nothing. */
export type OpenVendor = (settings: VendorSettings) => VendorClient;
