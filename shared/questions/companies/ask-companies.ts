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

/**
 * Smallest number of companies in a batch. For a single company, the profile costs the same as the search and has more
 * data.
 */
const MIN_COMPANIES = 2;

/**
 * Time after which a batch in doubt counts as charged, without a person's decision. Before that, its companies are not
 * searched, and no run waits for them.
 */
export const BATCH_DOUBT_MS = DAY_MS;

/**
 * Sends batches until each company has an answer, waits, or needs a lookup of its profile. Never reads a second page:
 * the vendor does not specify the order of results, and a second page may charge the first page's results again.
 * Companies that are missing on a full page are looked up in smaller batches.
 */
export async function askCompanies(
  services: GatewayServices,
  request: CompaniesRequest,
): Promise<CompaniesResult> {
  const progress: Progress = { results: new Map(), ownBatches: new Set() };
  const { results, ownBatches } = progress;
  let groups: readonly Group[] = [
    { domains: [...new Set(request.domains)], maxSize: Number.POSITIVE_INFINITY },
  ];
  for (;;) {
    const [group, ...others] = groups;
    if (!group) return results;
    const open = await filterCovered(request, await withoutAnswered(services, group.domains, progress));
    const batchSize = request.knownOnly
      ? 0
      : Math.min(group.maxSize, open.length, await sizeNow(services, request));
    const batch =
      batchSize < MIN_COMPANIES
        ? undefined
        : await askBatch(services, { ...request, domains: open.slice(0, batchSize) });
    if (batch?.result.kind === 'waiting' || batch?.result.kind === 'withdrawn') {
      const unsent = batch.result;
      for (const domain of [open, ...others.map(({ domains }) => domains)].flat())
        results.set(domain, unsent);
      return results;
    }
    if (batch) ownBatches.add(batch.key);
    const next = batch ? await afterBatch(services, batch, progress) : [];
    const rest = batch ? [{ domains: open.slice(batchSize), maxSize: group.maxSize }] : [];
    groups = [...next, ...rest, ...others].filter(({ domains }) => domains.length > 0);
  }
}

async function filterCovered({ isCovered }: CompaniesRequest, domains: readonly string[]): Promise<string[]> {
  const isCoveredByIndex = await Promise.all(domains.map((domain) => isCovered?.(domain) ?? true));
  return domains.filter((_, nth) => isCoveredByIndex[nth]);
}

/** Companies to look up, at most `maxSize` in one batch. */
interface Group {
  readonly domains: readonly string[];
  readonly maxSize: number;
}

interface Progress {
  readonly results: Map<string, CompanyResult>;
  /** Keys of the batches that this request sent. */
  readonly ownBatches: Set<string>;
}

/** @returns companies that need another batch. */
async function afterBatch(
  services: GatewayServices,
  { key, sent, leftOut, result }: AskedBatch,
  progress: Progress,
): Promise<Group[]> {
  const { results } = progress;
  // For other reasons, the lookup of the profile finds the same attempt and reports it.
  for (const [domain, reason] of leftOut)
    if (reason === 'noted' || reason === 'doubt') results.set(domain, later(services, reason));
  const answered = [...leftOut].flatMap(([domain, reason]) => (reason === 'answered' ? [domain] : []));
  const askAgain = { domains: answered, maxSize: Number.POSITIVE_INFINITY };
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
      return [{ domains, maxSize: Math.floor(sent.length / 2) }, askAgain];
    }
    case 'rejected':
      await recordObservation(services, { kind: 'refused', asked: sent.length });
      return [{ ...askAgain, domains: [...sent, ...answered] }];
    case 'again':
      return [{ ...askAgain, domains: [...sent, ...answered] }];
    default:
      await recordObservation(services, { kind: 'lost' });
      for (const domain of sent) results.set(domain, later(services, 'doubt'));
      return [askAgain];
  }
}

function isFoundIn(batch: string, result: CompanyResult | undefined): boolean {
  return result?.kind === 'found' && result.questionKey === batch;
}

/** Adds stored answers to the results. @returns the companies without one. */
async function withoutAnswered(
  services: GatewayServices,
  domains: readonly string[],
  { results, ownBatches }: Progress,
): Promise<string[]> {
  const known = await Promise.all(domains.map((domain) => storedResultOf(services, domain, ownBatches)));
  return domains.filter((domain, nth) => {
    const result = known[nth];
    if (typeof result === 'object') results.set(domain, result);
    return result === undefined;
  });
}

/** Reads a fresh stored answer about a company. Its cost counts only if a batch of this request yielded it. */
async function storedResultOf(
  services: GatewayServices,
  domain: string,
  ownBatches: ReadonlySet<string>,
): Promise<CompanyResult | 'by-profile' | undefined> {
  const { items, digest, clock } = services;
  const key = companyKey(domain, digest);
  const item = (await items.read(questionKind.key(key)))?.value;
  const answer = answerFor(item, { options: [], nowMs: clock.now(), bySearch: true });
  if (!answer) return undefined;
  // An answer from a profile belongs to the profile's own question.
  if (!answer.batch || answer.kind === 'forgotten') return 'by-profile';
  const { batch: questionKey, askedAtMs, expiresAtMs } = answer;
  const credits = ownBatches.has(questionKey) ? answer.credits : 0;
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
  // Not below the smallest batch: if the budget does not cover it, the reservation fails and reports the budget.
  return Math.min(
    facts.size,
    Math.max(MIN_COMPANIES, Math.floor((await services.ledger.now()).left(purpose, { overrulesReserve }))),
  );
}

/** Makes a company wait. If its batch is in doubt, it waits until the doubt is booked. */
function later({ clock }: GatewayServices, reason: 'noted' | 'doubt'): CompanyResult {
  const [ms, detail] =
    reason === 'doubt'
      ? [BATCH_DOUBT_MS, 'The company was looked up in a batch, and its outcome is unknown.']
      : [MINUTE_MS, 'Another worker is already looking up this company in a batch.'];
  return { kind: 'waiting', reason: 'asked-by-another', untilMs: clock.now() + ms, detail };
}
