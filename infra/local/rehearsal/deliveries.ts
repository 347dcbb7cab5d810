import { verifyWebhookSignature } from '#shared/hubspot';
import { type Clock, SECOND_MS } from '#shared/kernel';
import { isRecord, type JsonRecord } from './json-parts.ts';

/** An event as it came; only events of the rehearsal's own records are kept by a step. */
export interface DeliveredEvent {
  readonly event: JsonRecord;
  readonly receivedAtMs: number;
  readonly isSigned: boolean;
}

export interface Deliveries {
  readonly events: readonly DeliveredEvent[];
  /** Receives what HubSpot sends. */
  handle(request: Request): Promise<Response>;
  /** @returns whether it was met in time */
  until(isMet: () => boolean, forMs: number, signal?: AbortSignal): Promise<boolean>;
}

const POLL_MS = SECOND_MS;
/** Events of others are not ours to hold: no more than this many are looked at. */
const EVENTS_MOST = 10_000;
/** Bytes; HubSpot sends a hundred events at most. */
const BODY_MOST = 1_000_000;

export function receiveDeliveries(options: {
  readonly clock: Clock;
  /** The target URL as configured in HubSpot. */
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

/** None where the body is not a list of objects: then nothing of ours has come. */
function eventsIn(body: string): JsonRecord[] {
  try {
    const parsed: unknown = JSON.parse(body);
    return Array.isArray(parsed) ? parsed.filter(isRecord) : [];
  } catch {
    return [];
  }
}
