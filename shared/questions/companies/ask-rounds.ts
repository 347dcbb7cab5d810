import type { AskResult } from '../ask-result.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type AskedBatch, askBatch } from './ask-batch.ts';
import { FEWEST, later, sizeNow } from './ask-companies.ts';
import type { RoundSeen, RoundsRequest, RoundsResult } from './companies-result.ts';
import { fitByAliases, resultsOf } from './hand-out.ts';
import { keepRoundsLesson, type Look, lookFor, readRoundsFacts } from './rounds-facts.ts';
import { keepLesson, LARGEST_SIZE } from './search-facts.ts';

/**
 * Looks which of some companies had a funding round since: a search that names only those, each for a credit, with a whole
 * answer. What the others cost is nothing. Each search carries its proof; where there is none, nobody is looked at.
 */
export async function askRounds(
  services: GatewayServices,
  { sinceMs, ...request }: RoundsRequest,
): Promise<RoundsResult> {
  const seen = new Map<string, RoundSeen>();
  let open = [...new Set(request.domains)];
  for (;;) {
    const facts = await readRoundsFacts(services);
    const look = lookFor(facts, { sinceMs, nowMs: services.clock.now() });
    if (!look) return seen;
    const { months } = look;
    const controls = [...look.named, ...look.unnamed];
    const others = open.filter((domain) => !controls.includes(domain));
    const most = Math.min(await sizeNow(services, request), facts.most ?? LARGEST_SIZE);
    const size = Math.min(others.length, most - controls.length);
    if (size < FEWEST) return seen;
    const domains = others.slice(0, size);
    const batch = await askBatch(services, { ...request, domains, months, controls });
    if (batch.result.kind === 'waiting') {
      for (const domain of others) seen.set(domain, batch.result);
      return seen;
    }
    const again = await afterLook(services, batch, { look, seen });
    open = [...again, ...others.slice(size)];
  }
}

/** @returns whom to look at again. */
async function afterLook(
  services: GatewayServices,
  { sent, leftOut, result }: AskedBatch,
  { look, seen }: { readonly look: Look; readonly seen: Map<string, RoundSeen> },
): Promise<readonly string[]> {
  const asked = [...sent, ...look.named, ...look.unnamed];
  for (const [domain, reason] of leftOut)
    if (reason === 'noted' || reason === 'doubt') seen.set(domain, later(services, reason));
  switch (result.kind) {
    case 'found':
    case 'no-match': {
      const { companies, isClear } = await toldBy(services, asked, result);
      const isNamed = (domain: string) => companies.has(domain);
      const refutedBy = [...look.named.filter((domain) => !isNamed(domain)), ...look.unnamed.filter(isNamed)];
      const isProved = isClear && refutedBy.length === 0;
      const [named, others] = [sent.filter(isNamed), sent.filter((domain) => !isNamed(domain))];
      const told = { sinceMs: look.sinceMs, askedAtMs: result.askedAtMs };
      for (const domain of named)
        seen.set(domain, { kind: isProved ? 'had-round' : 'unproved', credits: 1, ...told });
      if (isProved) for (const domain of others) seen.set(domain, { kind: 'had-none', credits: 0, ...told });
      const lesson = { looked: sent.length, named: named.length, unnamed: look.unnamed, refutedBy };
      await keepRoundsLesson(services, { kind: 'looked', ...lesson });
      // A single control may have had a round since: the others prove it, or tell that it is not to be believed.
      return isClear && !isProved ? others : [];
    }
    case 'rejected':
      await keepRoundsLesson(services, { kind: 'refused', asked: asked.length });
      return sent;
    case 'again':
      return sent;
    default:
      await keepRoundsLesson(services, { kind: 'lost' });
      for (const domain of sent) seen.set(domain, later(services, 'doubt'));
      return [];
  }
}

type Answered = Extract<AskResult, { kind: 'found' | 'no-match' }>;

/** The companies that came. Not clear where some came of whom nobody can tell which they are. */
async function toldBy(
  services: GatewayServices,
  domains: readonly string[],
  result: Answered,
): Promise<{ readonly companies: ReadonlySet<string>; readonly isClear: boolean }> {
  const results = resultsOf(result.kind === 'found' ? result.record : undefined);
  const { byDomain } = await fitByAliases(services, domains, results);
  const unusable = results.length - byDomain.size;
  await keepLesson(services, { kind: 'answered', asked: domains.length, results: results.length, unusable });
  return { companies: new Set(byDomain.keys()), isClear: unusable === 0 };
}
