import { createDataServiceClient } from '#shared/data-service/adapters';

/**
 * Asks the data service about a key before it is stored anywhere. Free.
 * @throws DataServiceError unless the service accepts the key
 */
export async function checkGivenKey(given: Parameters<typeof createDataServiceClient>[0]): Promise<void> {
  await createDataServiceClient(given).checkKey();
}
