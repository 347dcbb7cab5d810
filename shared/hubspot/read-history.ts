import { type BatchReader, readBatch } from './read-batch.ts';
import type { HubSpotObject, PropertyVersion, ReadHistoryRequest, ReadHistoryResult } from './types.ts';

/** A batch read with history, fifty records a request, reduced to the newest entry of each property. */
export async function readHistory(
  reader: BatchReader,
  { properties, ...request }: ReadHistoryRequest,
): Promise<ReadHistoryResult> {
  const wish = { ...request, properties: [], propertiesWithHistory: properties };
  const { byAskedId, missing, failed } = await readBatch(reader, wish);
  return {
    byAskedId: new Map([...byAskedId].map(([id, object]) => [id, newestOf(object)])),
    missing,
    failed,
  };
}

function newestOf({ history = {} }: HubSpotObject): Readonly<Record<string, PropertyVersion>> {
  const entries = Object.entries(history).flatMap(([name, [newest]]) => (newest ? [[name, newest]] : []));
  return Object.fromEntries(entries);
}
