import { MINUTE_MS } from '#shared/kernel';
import { change } from '#shared/store';
import { acceptAsAsked, previewAsAsked, rejectAsAsked } from './decide-finding.ts';
import {
  decideDoubt,
  decideSpending,
  moveBackfillAsAsked,
  seeStop,
  startWaiting,
} from './decide-installation.ts';
import { notAllowed } from './permissions.ts';
import { quoteRecord } from './quote.ts';
import { decidedReply } from './reply-texts.ts';
import { answered, type RequestServices } from './request-services.ts';
import type { PersonRequest, Reply } from './schemas.ts';
import { requestKind } from './stored-kinds.ts';
import { carryOutUndo, reportWrongMatch } from './wrong-match.ts';

/** As long as a worker lives at most. A message is delivered again only after this time. */
const CLAIM_MS = 5 * MINUTE_MS;

/**
 * Carries out a person's request, and stores the reply for the page that sent the request. One worker does it at a time,
 * so that the stored reply is true. After a crash another worker repeats it, because each step can be repeated.
 * @returns `nothing to do` if the request has expired or already has its reply; `under way` if a worker carries it out now.
 */
export async function carryOut(
  services: RequestServices,
  id: string,
): Promise<PersonRequest | 'nothing to do' | 'under way'> {
  const { clock, requests } = services;
  const item = { key: requestKind.key({ request: id }), kind: 'request', clock };
  const { claimed, value } = await change(requests, item, (stored): ClaimDecision => {
    const known = stored?.request;
    if (!known || known.reply) return { claimed: 'nothing to do' };
    if (clock.now() < (known.claimedUntilMs ?? 0)) return { claimed: 'under way' };
    return { claimed: 'yes', value: { request: { ...known, claimedUntilMs: clock.now() + CLAIM_MS } } };
  });
  if (claimed !== 'yes') return claimed;
  if (!value) return 'nothing to do';
  const { request } = value;
  const reply = notAllowed(services.policy, request) ?? (await replyTo(services, request));
  await change(requests, item, (stored) => {
    const known = stored?.request;
    return { value: known && !known.reply ? { request: answered(known, reply) } : undefined };
  });
  return request;
}

interface ClaimDecision {
  readonly claimed: 'yes' | 'nothing to do' | 'under way';
  readonly value?: { readonly request: PersonRequest };
}

async function replyTo(services: RequestServices, request: PersonRequest): Promise<Reply> {
  switch (request.kind) {
    case 'quote': {
      const { objectType, recordId: id, askedBy } = request;
      return { kind: 'quoted', quote: await quoteRecord(services, { objectType, id }, askedBy) };
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
    case 'refresh-figures':
      // The worker makes the page again after the requests of its batch.
      return decidedReply('figures-asked', {});
    case 'stop-spending':
    case 'resume-spending':
      return decideSpending(services, request);
    case 'see-stop':
      return seeStop(services, request);
    case 'resolve-doubt':
      return decideDoubt(services, request);
    case 'backfill':
      return moveBackfillAsAsked(services, request);
    case 'admit':
      return startWaiting(services, request);
  }
}
