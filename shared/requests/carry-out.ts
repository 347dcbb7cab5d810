import { assert, MINUTE_MS } from '#shared/kernel';
import { change } from '#shared/store';
import { decideDoubt, decideSpending, seeStop, startWaiting } from './decide-installation.ts';
import { notAllowed } from './permissions.ts';
import { quoteRecord } from './quote.ts';
import { decidedReply } from './reply-texts.ts';
import { answered, type RequestServices, type TakenWish, type WishRequest } from './request-services.ts';
import type { PersonRequest, Reply } from './schemas.ts';
import { requestKind } from './stored-kinds.ts';

/** As long as a worker lives at most. A message is delivered again only after this time. */
const CLAIM_MS = 5 * MINUTE_MS;

/**
 * Carries out a person's request, and stores the reply for the page that sent the request. One worker does it at a time,
 * so that the stored reply is true. After a crash another worker repeats it, because each step can be repeated.
 * @returns `nothing to do` if the request has expired or already has its reply; `under way` if a worker carries it out
 * now; otherwise whether the home page shows the result.
 */
export async function carryOut(
  services: RequestServices,
  id: string,
): Promise<Pick<TakenWish, 'changesHome'> | 'nothing to do' | 'under way'> {
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
  const taken = takenOf(services, request);
  const { list, changesHome } = taken;
  const reply = notAllowed(services.policy, list, request.askedBy) ?? (await taken.carryOut(services));
  await change(requests, item, (stored) => {
    const known = stored?.request;
    return { value: known && !known.reply ? { request: answered(known, reply) } : undefined };
  });
  return { changesHome };
}

function takenOf({ wishes }: RequestServices, request: PersonRequest): TakenWish {
  if (!('wish' in request)) return takenByCore(request);
  const [taken] = wishes.flatMap((take) => take(request) ?? []);
  assert(taken, 'an extension takes the request');
  return taken;
}

function takenByCore(request: Exclude<PersonRequest, WishRequest>): TakenWish {
  const { kind } = request;
  return {
    changesHome: kind !== 'quote',
    list: kind === 'admit' ? 'approve' : kind === 'resume-spending' ? 'resume' : undefined,
    carryOut: (services) => replyTo(services, request),
  };
}

interface ClaimDecision {
  readonly claimed: 'yes' | 'nothing to do' | 'under way';
  readonly value?: { readonly request: PersonRequest };
}

async function replyTo(
  services: RequestServices,
  request: Exclude<PersonRequest, WishRequest>,
): Promise<Reply> {
  switch (request.kind) {
    case 'quote': {
      const { objectType, recordId: id, askedBy } = request;
      return { kind: 'quoted', quote: await quoteRecord(services, { objectType, id }, askedBy) };
    }
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
    case 'admit':
      return startWaiting(services, request);
  }
}
