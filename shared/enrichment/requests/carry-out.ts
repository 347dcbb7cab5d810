import { change } from '#shared/versioned-items';
import { acceptAsAsked, previewAsAsked, rejectAsAsked } from './decide-finding.ts';
import { decideDoubt, decideSpending, moveBackfillAsAsked, startWaiting } from './decide-installation.ts';
import { answered } from './items.ts';
import { quoteRecord } from './quote.ts';
import type { RequestServices } from './request-services.ts';
import { carryOutUndo } from './request-undo.ts';
import type { PersonRequest, Reply } from './schemas.ts';
import { requestKind } from './stored-kinds.ts';
import { reportWrongMatch } from './wrong-match.ts';

/**
 * Carries out a person's request, and stores the reply for the page that sent the request. After a crash it runs again,
 * because each step can be repeated.
 * @returns `nothing to do` if the request has expired or already has its reply.
 */
export async function carryOut(
  services: RequestServices,
  id: string,
): Promise<PersonRequest | 'nothing to do'> {
  const key = requestKind.key(id);
  const request = (await services.requests.read(key))?.value;
  if (!request || request.reply) return 'nothing to do';
  const reply = await replyTo(services, request);
  const { clock, requests } = services;
  await change(requests, { key, kind: 'request', clock }, (known) => ({
    value: known && !known.reply ? answered(known, reply) : undefined,
  }));
  return request;
}

async function replyTo(services: RequestServices, request: PersonRequest): Promise<Reply> {
  switch (request.kind) {
    case 'quote': {
      const { objectType, recordId: id } = request;
      return { kind: 'quoted', quote: await quoteRecord(services, { objectType, id }) };
    }
    case 'undo':
      return carryOutUndo(services, request);
    case 'wrong-match':
      return reportWrongMatch(services, request);
    case 'preview':
      return previewAsAsked(services, request);
    case 'accept':
      return acceptAsAsked(services, request);
    case 'reject':
      return rejectAsAsked(services, request);
    case 'stop-spending':
    case 'resume-spending':
      return decideSpending(services, request);
    case 'resolve-doubt':
      return decideDoubt(services, request);
    case 'backfill':
      return moveBackfillAsAsked(services, request);
    case 'admit':
      return startWaiting(services, request);
  }
}
