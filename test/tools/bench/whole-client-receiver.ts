import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { Signature } from '@hubspot/api-client';
import type { HttpEvent } from '../../../functions/receive-webhook/handler.ts';

const secrets = new SSMClient();
const sqs = new SQSClient();

/** A receiver as HubSpot's own package suggests it. Its signature check loads the whole client. */
export async function handler(event: HttpEvent): Promise<{ statusCode: number }> {
  const { SECRET_PREFIX, LIVE_QUEUE_URL, PUBLIC_URL = '' } = process.env;
  const Name = `${SECRET_PREFIX}/hubspot-client-secret`;
  const { Parameter } = await secrets.send(new GetParameterCommand({ Name, WithDecryption: true }));
  const timestamp = Number(event.headers['x-hubspot-request-timestamp']);
  const isValid = Signature.isValid({
    signatureVersion: 'v3',
    signature: event.headers['x-hubspot-signature-v3'] ?? '',
    clientSecret: JSON.parse(Parameter?.Value ?? '').hubSpotClientSecret,
    requestBody: event.body ?? '',
    url: PUBLIC_URL,
    method: event.requestContext.http.method,
    timestamp,
  });
  if (!isValid) return { statusCode: 401 };
  const events: readonly unknown[] = JSON.parse(event.body ?? '[]');
  const Entries = events.map((each, index) => ({ Id: String(index), MessageBody: JSON.stringify(each) }));
  await sqs.send(new SendMessageBatchCommand({ QueueUrl: LIVE_QUEUE_URL, Entries }));
  return { statusCode: 200 };
}
