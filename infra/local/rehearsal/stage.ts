import { verifyWebhookSignature } from '#shared/hubspot';
import { type Clock, MINUTE_MS, parseJson, SECOND_MS } from '#shared/kernel';
import { isRecord, type JsonRecord, type OwnRecords, type ReadAccount } from './account.ts';
import type { AssumedBehaviour, AssumptionVerdict } from './assumption.ts';

export interface Stage {
  readonly account: ReadAccount;
  readonly records: OwnRecords;
  /** Absent if no webhooks reach the rehearsal. */
  readonly deliveries: Deliveries | undefined;
  /** Asks a person to change the first name of this contact in HubSpot. Absent without a terminal. */
  readonly askPerson: ((contactId: string) => Promise<void>) | undefined;
  readonly say: (line: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  note(assumption: string, observation: AssumptionVerdict): void;
  /** Notes the verdict on each assumption of the step without another. */
  noteOthers(observation: AssumptionVerdict): void;
}

export interface RehearsalStep {
  readonly name: string;
  readonly about: string;
  readonly run: (stage: Stage) => Promise<void>;
  readonly assumptions: Readonly<Record<string, AssumedBehaviour>>;
}

/** A delivered event. A step keeps only events of the rehearsal's own records. */
export interface DeliveredEvent {
  readonly event: JsonRecord;
  readonly receivedAtMs: number;
  readonly signature: DeliveredSignature;
}

/** `other-form`: it is not a signature of version 3. `wrong`: it has the right form and does not fit. */
type DeliveredSignature = 'fits' | 'other-form' | 'wrong';

export interface Deliveries {
  readonly events: readonly DeliveredEvent[];
  handle(request: Request): Promise<Response>;
  /** Waits at most `WEBHOOK_WAIT_MS` for a webhook. @returns whether it came */
  waitFor(hasCome: () => boolean, signal?: AbortSignal): Promise<boolean>;
  /** Whether no webhook at all has come, although a step waited for one until the end. */
  areAbsent(): boolean;
}

export const WEBHOOK_WAIT_MS = 3 * MINUTE_MS;
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
  let hasWaited = false;
  return {
    events,
    handle: async (request) => {
      if (Number(request.headers.get('content-length')) > BODY_MOST)
        return new Response(null, { status: 413 });
      const rawBody = await request.text();
      const receivedAtMs = clock.now();
      const headers = Object.fromEntries(request.headers);
      const signed = { method: request.method, publicUrl, rawBody, clientSecret };
      const verdict = verifyWebhookSignature({ ...signed, headers, nowMs: receivedAtMs });
      const signature = signatureOf(verdict, headers['x-hubspot-signature-v3']);
      for (const event of eventsIn(rawBody))
        if (events.length < EVENTS_MOST) events.push({ event, receivedAtMs, signature });
      return new Response(null, { status: 200 });
    },
    waitFor: async (hasCome, signal) => {
      const endsAt = clock.monotonic() + WEBHOOK_WAIT_MS;
      while (!hasCome()) {
        if (clock.monotonic() >= endsAt) {
          hasWaited = true;
          return false;
        }
        await clock.sleep(POLL_MS, signal);
      }
      return true;
    },
    areAbsent: () => hasWaited && events.length === 0,
  };
}

/** Base64 of the 32 bytes of an HMAC-SHA256. */
const V3_FORM = /^[A-Za-z0-9+/]{43}=$/;

function signatureOf(
  verdict: ReturnType<typeof verifyWebhookSignature>,
  given: string | undefined,
): DeliveredSignature {
  if (verdict.kind === 'valid') return 'fits';
  const { reason } = verdict;
  const isOfTime = reason === 'too-old' || reason === 'from-the-future';
  return (isOfTime || reason === 'wrong-signature') && V3_FORM.test(given ?? '') ? 'wrong' : 'other-form';
}

/** Events in the body. Empty if the body is not a list of objects, because it then has no event of ours. */
function eventsIn(body: string): JsonRecord[] {
  const parsed = parseJson(body);
  return Array.isArray(parsed) ? parsed.filter(isRecord) : [];
}
