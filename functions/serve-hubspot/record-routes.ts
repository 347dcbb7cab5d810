import type { RecordName } from '#shared/crm';
import { parseJson } from '#shared/kernel';
import type { GatewayResult } from '#shared/lambda';
import { type RecordState, standingOfEvent, type WordedStanding, withWords } from '#shared/records';
import { eventKeyOfRequest, requestKind, viewRecord } from '#shared/requests';
import { json, refusal } from './answers.ts';
import { queueRequest, readWished, replyTo, type ShownReply } from './kept-requests.ts';
import { cardRequestSchema, type Viewer } from './schemas.ts';
import type { ServeServices } from './services.ts';

/** The progress of the request that the card waits for. */
export interface RequestProgress {
  /** Progress of an enrichment. */
  readonly standing?: WordedStanding;
  /** Reply to any other request. */
  readonly reply?: ShownReply | undefined;
}

/** Returns the stored data about a record, and the progress of a request. Changes nothing. */
export async function showRecord(
  services: ServeServices,
  name: RecordName,
  query: Viewer,
): Promise<GatewayResult> {
  const { stopped } = await services.breakers.read();
  const isStoppedByPerson = stopped !== undefined;
  const { view, state } = await viewRecord(services, name, isStoppedByPerson);
  if (query.request === undefined) return json(200, { view });
  return json(200, { view, progress: await progressOf(services, { name, query, state, isStoppedByPerson }) });
}

async function progressOf(
  services: ServeServices,
  {
    name,
    query: { request: requestId = '', askedBy },
    state,
    isStoppedByPerson,
  }: {
    readonly name: RecordName;
    readonly query: Viewer;
    readonly state: RecordState;
    readonly isStoppedByPerson: boolean;
  },
): Promise<RequestProgress> {
  const stored = (await services.requests.read(requestKind.key({ request: requestId })))?.value.request;
  if (stored && 'recordId' in stored && stored.objectType === name.objectType && stored.recordId === name.id)
    return { reply: await replyTo(services, stored, askedBy) };
  const eventKey = eventKeyOfRequest(requestId);
  const wish = { eventKey, recordId: name.id, nowMs: services.clock.now(), isStoppedByPerson };
  return { standing: withWords(standingOfEvent(state, wish)) };
}

/** Queues a person's request about a record. A repeated request for an enrichment opens only one run. */
export async function takeRequest(
  services: ServeServices,
  name: RecordName,
  { text, askedBy }: Viewer & { readonly text: string },
): Promise<GatewayResult> {
  const body = parseJson(text);
  const { data: request } = cardRequestSchema.safeParse(body);
  if (request?.kind === 'enrich') {
    const { id, maxCredits } = request;
    const eventKeys = [eventKeyOfRequest(id)];
    await services.queues.urgent.send([
      { ...name, purpose: 'manual', eventKeys, asked: { maxCredits }, askedBy },
    ]);
    return json(202, { id });
  }
  const { objectType, id: recordId } = name;
  const askedAtMs = services.clock.now();
  const asked = { objectType, recordId, askedAtMs, askedBy };
  if (request) return queueRequest(services, { ...request, ...asked });
  const wished = readWished(services.wishSchemas.card, body);
  if (!wished) return refusal(400, 'unreadable-request');
  return queueRequest(services, { ...wished, ...asked, kind: 'record-wish' });
}
