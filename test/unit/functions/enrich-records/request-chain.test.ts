import { expect, it } from 'vitest';
import { countRequestChain, type PathRequests } from '../../../bench/request-chain.ts';

function inSequence({ hubSpot, dynamo, dynamoOfAsking }: PathRequests) {
  return {
    hubSpot: hubSpot.inSequence,
    dynamo: dynamo.inSequence,
    dynamoOfAsking: dynamoOfAsking.inSequence,
  };
}

// These numbers may only fall. Two in sequence and five a record are the disclosure record: written with the answer, noted with the write.
it('brings a new contact to HubSpot with 3 HubSpot and 10 DynamoDB requests in sequence besides asking', async () => {
  const { enriched, receiver, toWrite, worker } = await countRequestChain({ records: 1 });
  expect(enriched).toBe(1);
  expect(inSequence(receiver)).toEqual({ hubSpot: 0, dynamo: 0, dynamoOfAsking: 0 });
  expect(inSequence(toWrite)).toEqual({ hubSpot: 3, dynamo: 10, dynamoOfAsking: 15 });
  expect(inSequence(worker)).toEqual({ hubSpot: 4, dynamo: 16, dynamoOfAsking: 15 });
});

it('needs no more than 0.05 HubSpot and 15.1 DynamoDB requests a record in a batch of 100', async () => {
  const { enriched, worker } = await countRequestChain({ records: 100, isWarm: true });
  expect(enriched).toBe(100);
  expect(worker.hubSpot.total).toBeLessThanOrEqual(5);
  expect(worker.dynamo.total).toBeLessThanOrEqual(1_506);
  expect(worker.dynamoOfAsking.total).toBeLessThanOrEqual(1_204);
});
