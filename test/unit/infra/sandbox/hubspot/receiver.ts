import { createHmac } from 'node:crypto';
import type { Send } from '../../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';

export interface Event {
  readonly eventId: number;
  readonly subscriptionType: string;
  readonly attemptNumber: number;
  readonly objectId: number;
  readonly occurredAt: number;
  readonly propertyName?: string;
}

export interface Receiver {
  readonly send: Send;
  /** The bodies that came, in order. */
  readonly deliveries: Event[][];
  readonly requests: Request[];
  events(): Event[];
  /** Status of the next answers; 200 when there are none left. */
  readonly answers: (number | (() => Promise<number>))[];
}

/** The far end of a webhook: notes what comes and answers as told. */
export function createReceiver(): Receiver {
  const deliveries: Event[][] = [];
  const requests: Request[] = [];
  const answers: (number | (() => Promise<number>))[] = [];
  const send = async (request: Request) => {
    requests.push(request.clone());
    deliveries.push(JSON.parse(await request.text()));
    const answer = answers.shift() ?? 200;
    return new Response('thanks', { status: typeof answer === 'number' ? answer : await answer() });
  };
  return { send, deliveries, requests, answers, events: () => deliveries.flat() };
}

/** Whether the request carries the v3 signature of the address, worked out anew. */
export async function isSigned(
  request: Request,
  { secret, uri }: { secret: string; uri: string },
): Promise<boolean> {
  const stamp = request.headers.get('X-HubSpot-Request-Timestamp');
  const text = `POST${uri}${await request.clone().text()}${stamp}`;
  const expected = createHmac('sha256', secret).update(text).digest('base64');
  return request.headers.get('X-HubSpot-Signature-v3') === expected;
}
