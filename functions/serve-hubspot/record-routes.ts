import type { RecordName } from '#shared/crm';
import {
  eventKeyOfRequest,
  type PersonRequest,
  type Reply,
  requestKind,
  viewRecord,
} from '#shared/enrichment';
import { parseJson } from '#shared/kernel';
import { type RecordState, standingOfEvent, type WordedStanding, withWords } from '#shared/records';
import { change } from '#shared/versioned-items';
import { json, refusal } from './answers.ts';
import { type CardRequest, cardRequestSchema } from './schemas.ts';
import type { ServeResult, ServeServices } from './services.ts';

/** How far a request is that the card waits for. */
export interface RequestProgress {
  /** Of an enrichment. */
  readonly standing?: WordedStanding;
  /** Of what else was asked for. */
  readonly reply?: Reply | undefined;
}

/** The record as it is known, and how far the request is that is asked after. Changes nothing. */
export async function showRecord(
  services: ServeServices,
  name: RecordName,
  requestId: string | undefined,
): Promise<ServeResult> {
  const { view, state } = await viewRecord(services, name);
  if (requestId === undefined) return json(200, { view });
  return json(200, { view, progress: await progressOf(services, { name, requestId, state }) });
}

async function progressOf(
  { requests }: ServeServices,
  { name, requestId, state }: { name: RecordName; requestId: string; state: RecordState },
): Promise<RequestProgress> {
  const kept = (await requests.read(requestKind.key(requestId)))?.value;
  if (kept && isOf(kept, name)) return { reply: kept.reply };
  const eventKey = eventKeyOfRequest(requestId);
  return { standing: withWords(standingOfEvent(state, { eventKey, recordId: name.id })) };
}

/** A request of a person, with the user's id in HubSpot: `user:12345`. */
interface AskedRequest {
  readonly text: string;
  readonly askedBy: string | undefined;
}

/**
 * Queues a person's request. The card made its id, which is the same for each retry: a repeated enrichment is one run, and
 * any other request is done once.
 */
export async function takeRequest(
  services: ServeServices,
  name: RecordName,
  { text, askedBy }: AskedRequest,
): Promise<ServeResult> {
  const parsed = cardRequestSchema.safeParse(parseJson(text));
  if (!parsed.success) return refusal(400, 'unreadable-request');
  const request = parsed.data;
  const { urgent } = services.queues;
  if (request.kind === 'enrich') {
    const { maxCredits } = request;
    const eventKeys = [eventKeyOfRequest(request.id)];
    await urgent.send([{ ...name, purpose: 'manual', eventKeys, asked: { maxCredits }, askedBy }]);
    return accepted(request);
  }
  const kept = await keep(services, name, { ...request, askedBy });
  if (!isOf(kept, name) || kept.kind !== request.kind) return refusal(409, 'id-in-use');
  if (!kept.reply) await urgent.send([{ ...name, purpose: 'manual', eventKeys: [], request: request.id }]);
  return accepted(request);
}

/** Kept before its message is sent, so that the worker finds it. */
async function keep(
  { requests, clock }: ServeServices,
  { objectType, id: recordId }: RecordName,
  { id, ...wish }: Exclude<CardRequest, { kind: 'enrich' }> & Pick<PersonRequest, 'askedBy'>,
): Promise<PersonRequest> {
  const wanted: PersonRequest = { id, objectType, recordId, ...wish, askedAtMs: clock.now() };
  const item = { key: requestKind.key(id), kind: 'request', clock };
  const { kept } = await change(requests, item, (known) => ({
    kept: known ?? wanted,
    value: known ? undefined : wanted,
  }));
  return kept;
}

function isOf({ objectType, recordId }: PersonRequest, name: RecordName): boolean {
  return objectType === name.objectType && recordId === name.id;
}

function accepted({ id }: CardRequest): ServeResult {
  return json(202, { id });
}
