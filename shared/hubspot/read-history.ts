import { type BatchReader, readBatch } from './read-batch.ts';
import type { ReadHistoryRequest, ReadHistoryResult } from './types.ts';

/** A batch read with history, fifty records a request. */
export async function readHistory(
  reader: BatchReader,
  { properties, ...request }: ReadHistoryRequest,
): Promise<ReadHistoryResult> {
  const wish = { ...request, properties: [], propertiesWithHistory: properties };
  const { byAskedId, missing, failed } = await readBatch(reader, wish);
  return {
    byAskedId: new Map([...byAskedId].map(([id, { history = {} }]) => [id, history])),
    missing,
    failed,
  };
}
