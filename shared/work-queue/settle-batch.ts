/** The part of an SQS record that a handler needs. */
export interface QueuedRecord {
  readonly messageId: string;
  readonly body: string;
}

/** What Lambda's SQS event source reads: the messages to deliver again; all others are deleted. */
export interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

export function failedMessages(messageIds: Iterable<string>): BatchResponse {
  return { batchItemFailures: [...new Set(messageIds)].map((itemIdentifier) => ({ itemIdentifier })) };
}
