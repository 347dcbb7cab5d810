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
