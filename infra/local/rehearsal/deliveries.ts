import { verifyWebhookSignature } from '#shared/hubspot';
import { type Clock, SECOND_MS } from '#shared/kernel';
import { isRecord, type JsonRecord } from './json-parts.ts';

/** A delivered event. A step keeps only events of the rehearsal's own records. */
export interface DeliveredEvent {
  readonly event: JsonRecord;
  readonly receivedAtMs: number;
  readonly isSigned: boolean;
}

export interface Deliveries {
  readonly events: readonly DeliveredEvent[];
  /** Receives HubSpot's deliveries. */
  handle(request: Request): Promise<Response>;
  /** Waits until the condition is met. @returns whether it was met in time */
  until(isMet: () => boolean, forMs: number, signal?: AbortSignal): Promise<boolean>;
}

const POLL_MS = SECOND_MS;
/** Maximum number of events to keep, because most of them concern records that are not ours. */
const EVENTS_MOST = 10_000;
/** Maximum size of a body in bytes. HubSpot sends at most 100 events in one body. */
const BODY_MOST = 1_000_000;

export function receiveDeliveries(options: {
  readonly clock: Clock;
  /** The target URL, exactly as configured in HubSpot. */
  readonly publicUrl: string;
  readonly clientSecret: string;
}): Deliveries {
  const { clock, publicUrl, clientSecret } = options;
  const events: DeliveredEvent[] = [];
  return {
    events,
    handle: async (request) => {
      if (Number(request.headers.get('content-length')) > BODY_MOST)
        return new Response(null, { status: 413 });
      const rawBody = await request.text();
      const receivedAtMs = clock.now();
      const verdict = verifyWebhookSignature({
        method: request.method,
        publicUrl,
        rawBody,
        clientSecret,
        headers: Object.fromEntries(request.headers),
        nowMs: receivedAtMs,
      });
      const isSigned = verdict.kind === 'valid' && verdict.version === 'v3';
      for (const event of eventsIn(rawBody))
        if (events.length < EVENTS_MOST) events.push({ event, receivedAtMs, isSigned });
      return new Response(null, { status: 200 });
    },
    until: async (isMet, forMs, signal) => {
      const endsAt = clock.monotonic() + forMs;
      while (!isMet()) {
        if (clock.monotonic() >= endsAt) return false;
        await clock.sleep(POLL_MS, signal);
      }
      return true;
    },
  };
}

/** Events in the body. Empty if the body is not a list of objects, because it then has no event of ours. */
function eventsIn(body: string): JsonRecord[] {
  try {
    const parsed: unknown = JSON.parse(body);
    return Array.isArray(parsed) ? parsed.filter(isRecord) : [];
  } catch {
    return [];
  }
}
