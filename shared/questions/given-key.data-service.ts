import { createDataServiceClient } from '#shared/data-service/adapters';

/**
 * Checks a key at the data service before it is stored. Free.
 * @throws DataServiceError unless the service accepts the key
 */
export async function checkGivenKey(given: Parameters<typeof createDataServiceClient>[0]): Promise<void> {
  await createDataServiceClient(given).checkKey();
}
