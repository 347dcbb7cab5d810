/** One element of a delivery, without its attempt number. */
export type WebhookPayload = Readonly<Record<string, string | number | boolean | readonly number[]>>;

/** An event that waits for delivery. `dueAt` in epoch milliseconds. */
export interface PendingEvent {
  readonly key: number;
  readonly payload: WebhookPayload;
  /** `typeId:id`, for creation events only. */
  readonly creationOf?: string;
  attempt: number;
  dueAt: number;
}
