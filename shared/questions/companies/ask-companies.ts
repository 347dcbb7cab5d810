import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { resultsOf } from '../answers/distribute-answer.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { unpackAnswer } from '../packed-answers.ts';
import { companyKey } from '../question.ts';
import { answerFor } from '../stored-answers.ts';
import { questionKind } from '../stored-kinds.ts';
import { type AskedBatch, askBatch } from './ask-batch.ts';
import type { CompaniesRequest, CompaniesResult, CompanyResult } from './companies-result.ts';
import { isStopped, readSearchFacts, recordObservation } from './search-facts.ts';

/** A profile of a single company costs the same as its search, and has more data. */
const FEWEST = 2;

/**
 * Time after which a batch in doubt counts as charged, without a person's decision. Until then its companies are not
 * searched, and no run waits for them.
 */
export const BATCH_DOUBT_MS = DAY_MS;

/**
 * Sends batches until each company has an answer, waits, or needs a lookup of its profile. It never reads a second page:
 * the order of results is not specified, and a second page may charge the first page's results again. Companies that are
 * missing on a full page are looked up in smaller batches.
 */
export async function askCompanies(
  services: GatewayServices,
  request: CompaniesRequest,
): Promise<CompaniesResult> {
  const progress: Progress = { results: new Map(), own: new Set() };
  const { results, own } = progress;
  let groups: readonly Group[] = [{ domains: [...new Set(request.domains)], most: Number.POSITIVE_INFINITY }];
  for (;;) {
    const [group, ...others] = groups;
    if (!group) return results;
    const open = await filterCovered(request, await withoutAnswered(services, group.domains, progress));
    const size = request.knownOnly ? 0 : Math.min(group.most, open.length, await sizeNow(services, request));
    const batch =
      size < FEWEST ? undefined : await askBatch(services, { ...request, domains: open.slice(0, size) });
    if (batch?.result.kind === 'waiting' || batch?.result.kind === 'withdrawn') {
      const unsent = batch.result;
      for (const domain of [open, ...others.map(({ domains }) => domains)].flat())
        results.set(domain, unsent);
      return results;
    }
    if (batch) own.add(batch.key);
    const next = batch ? await afterBatch(services, batch, progress) : [];
    const rest = batch ? [{ domains: open.slice(size), most: group.most }] : [];
    groups = [...next, ...rest, ...others].filter(({ domains }) => domains.length > 0);
  }
}

async function filterCovered({ isCovered }: CompaniesRequest, domains: readonly string[]): Promise<string[]> {
  const are = await Promise.all(domains.map((domain) => isCovered?.(domain) ?? true));
  return domains.filter((_, nth) => are[nth]);
}

/** Companies to look up, at most `most` in one batch. */
interface Group {
  readonly domains: readonly string[];
  readonly most: number;
}

interface Progress {
  readonly results: Map<string, CompanyResult>;
  /** Keys of the batches that this request sent. */
  readonly own: Set<string>;
}

/** @returns companies that need another batch. */
async function afterBatch(
  services: GatewayServices,
  { key, sent, leftOut, result }: AskedBatch,
  progress: Progress,
): Promise<Group[]> {
  const { results } = progress;
  // For other reasons the lookup of the profile meets the same attempt and reports it.
  for (const [domain, reason] of leftOut)
    if (reason === 'noted' || reason === 'doubt') results.set(domain, later(services, reason));
  const answered = [...leftOut].flatMap(([domain, reason]) => (reason === 'answered' ? [domain] : []));
  const again = { domains: answered, most: Number.POSITIVE_INFINITY };
  switch (result.kind) {
    case 'found':
    case 'no-match': {
      const domains = await withoutAnswered(services, sent, progress);
      const used = sent.filter((domain) => isFoundIn(key, results.get(domain))).length;
      const received = result.kind === 'found' ? resultsOf(result.record).length : 0;
      const observation = {
        kind: 'answered',
        asked: sent.length,
        results: received,
        unusable: received - used,
      } as const;
      await recordObservation(services, observation);
      return [{ domains, most: Math.floor(sent.length / 2) }, again];
    }
    case 'rejected':
      await recordObservation(services, { kind: 'refused', asked: sent.length });
      return [{ ...again, domains: [...sent, ...answered] }];
    case 'again':
      return [{ ...again, domains: [...sent, ...answered] }];
    default:
      await recordObservation(services, { kind: 'lost' });
      for (const domain of sent) results.set(domain, later(services, 'doubt'));
      return [again];
  }
}

function isFoundIn(batch: string, result: CompanyResult | undefined): boolean {
  return result?.kind === 'found' && result.questionKey === batch;
}

/** Adds stored answers to the results. @returns the companies without one. */
async function withoutAnswered(
  services: GatewayServices,
  domains: readonly string[],
  { results, own }: Progress,
): Promise<string[]> {
  const known = await Promise.all(domains.map((domain) => storedResultOf(services, domain, own)));
  return domains.filter((domain, nth) => {
    const result = known[nth];
    if (typeof result === 'object') results.set(domain, result);
    return result === undefined;
  });
}

/** A fresh stored answer about a company. It costs credits only if one of this request's batches yielded it. */
async function storedResultOf(
  services: GatewayServices,
  domain: string,
  own: ReadonlySet<string>,
): Promise<CompanyResult | 'by-profile' | undefined> {
  const { items, digest, clock } = services;
  const key = companyKey(domain, digest);
  const item = (await items.read(questionKind.key(key)))?.value;
  const answer = answerFor(item, { options: [], nowMs: clock.now(), bySearch: true });
  if (!answer) return undefined;
  // The profile's own question serves an answer from a profile.
  if (!answer.batch || answer.kind === 'forgotten') return 'by-profile';
  const { batch: questionKey, askedAtMs, expiresAtMs } = answer;
  const credits = own.has(questionKey) ? answer.credits : 0;
  const facts = { questionKey, askedAtMs, expiresAtMs, credits };
  if (answer.kind === 'no-match') return { kind: 'no-match', ...facts };
  const record = await unpackAnswer(services, answer);
  return record ? { kind: 'found', record, ...facts } : 'by-profile';
}

/** The largest number of domains that the vendor accepts and the budgets cover. */
async function sizeNow(
  services: GatewayServices,
  { purpose, overrulesReserve }: CompaniesRequest,
): Promise<number> {
  const facts = await readSearchFacts(services);
  if (isStopped(facts)) return 0;
  // If the budget does not cover the smallest batch, the reservation fails and reports the budget.
  return Math.min(
    facts.size,
    Math.max(FEWEST, Math.floor((await services.ledger.now()).left(purpose, { overrulesReserve }))),
  );
}

/** A company of a batch in doubt waits until the doubt is booked. */
function later({ clock }: GatewayServices, reason: 'noted' | 'doubt'): CompanyResult {
  const [ms, detail] =
    reason === 'doubt'
      ? [BATCH_DOUBT_MS, 'The company was looked up in a batch, and no answer came back.']
      : [MINUTE_MS, 'Another worker is already looking up this company in a batch.'];
  return { kind: 'waiting', reason: 'asked-by-another', untilMs: clock.now() + ms, detail };
}
