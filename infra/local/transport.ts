import type { Send } from '#shared/http';

/** Sends requests until it is closed. */
export interface Transport {
  readonly send: Send;
  close(): Promise<void>;
}
