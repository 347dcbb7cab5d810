import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { resultsOf } from '../answers/hand-out.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { unpackAnswer } from '../packed-answers.ts';
import { companyKey } from '../question.ts';
import { answerFor } from '../stored-answers.ts';
import { questionKind } from '../stored-kinds.ts';
import { type AskedBatch, askBatch } from './ask-batch.ts';
import type { CompaniesRequest, CompaniesResult, CompanyResult } from './companies-result.ts';
import { isStopped, keepLesson, readSearchFacts } from './search-facts.ts';

/** So that one search pays: a single company's profile costs the same, and tells more. */
const FEWEST = 2;

/**
 * Time after which a batch in doubt counts as charged, without a person. Until then its companies are not searched, and no
 * run waits for them.
 */
export const BATCH_DOUBT_MS = DAY_MS;

/**
 * Asks batch after batch until each company is answered, waits, or is one for its profile. A batch is never paged: the
 * order of results is not specified, and a second page may bill the first one's again. Of a full page, those whom it
 * does not name are looked up in smaller batches.
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
    const open = await coveredOf(request, await withoutAnswered(services, group.domains, progress));
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

async function coveredOf({ isCovered }: CompaniesRequest, domains: readonly string[]): Promise<string[]> {
  const are = await Promise.all(domains.map((domain) => isCovered?.(domain) ?? true));
  return domains.filter((_, nth) => are[nth]);
}

/** Companies of which no batch may name more than so many at once. */
interface Group {
  readonly domains: readonly string[];
  readonly most: number;
}

interface Progress {
  readonly results: Map<string, CompanyResult>;
  /** Keys of the batches that were asked here. */
  readonly own: Set<string>;
}

/** @returns whom to ask about again. */
async function afterBatch(
  services: GatewayServices,
  { key, sent, leftOut, result }: AskedBatch,
  progress: Progress,
): Promise<Group[]> {
  const { results } = progress;
  // An attempt in the way of a batch is in the way of a profile too, which says so.
  for (const [domain, reason] of leftOut)
    if (reason === 'noted' || reason === 'doubt') results.set(domain, later(services, reason));
  const answered = [...leftOut].flatMap(([domain, reason]) => (reason === 'answered' ? [domain] : []));
  const again = { domains: answered, most: Number.POSITIVE_INFINITY };
  switch (result.kind) {
    case 'found':
    case 'no-match': {
      const domains = await withoutAnswered(services, sent, progress);
      const used = sent.filter((domain) => isFoundIn(key, results.get(domain))).length;
      const came = result.kind === 'found' ? resultsOf(result.record).length : 0;
      const lesson = { kind: 'answered', asked: sent.length, results: came, unusable: came - used } as const;
      await keepLesson(services, lesson);
      return [{ domains, most: Math.floor(sent.length / 2) }, again];
    }
    case 'rejected':
      await keepLesson(services, { kind: 'refused', asked: sent.length });
      return [{ ...again, domains: [...sent, ...answered] }];
    case 'again':
      return [{ ...again, domains: [...sent, ...answered] }];
    default:
      await keepLesson(services, { kind: 'lost' });
      for (const domain of sent) results.set(domain, later(services, 'doubt'));
      return [again];
  }
}

function isFoundIn(batch: string, result: CompanyResult | undefined): boolean {
  return result?.kind === 'found' && result.questionKey === batch;
}

/** Moves what is known by now into the results. @returns the others. */
async function withoutAnswered(
  services: GatewayServices,
  domains: readonly string[],
  { results, own }: Progress,
): Promise<string[]> {
  const known = await Promise.all(domains.map((domain) => knownOf(services, domain, own)));
  return domains.filter((domain, nth) => {
    const result = known[nth];
    if (typeof result === 'object') results.set(domain, result);
    return result === undefined;
  });
}

/** A fresh answer about a company, from a search or a profile; it has cost this request something if it came by its batch. */
async function knownOf(
  services: GatewayServices,
  domain: string,
  own: ReadonlySet<string>,
): Promise<CompanyResult | 'by-profile' | undefined> {
  const { items, digest, clock } = services;
  const key = companyKey(domain, digest);
  const item = (await items.read(questionKind.key(key)))?.value;
  const answer = answerFor(item, { options: [], nowMs: clock.now(), bySearch: true });
  if (!answer) return undefined;
  // What a profile told is served by the profile's own question.
  if (!answer.batch || answer.kind === 'forgotten') return 'by-profile';
  const { batch: questionKey, askedAtMs, expiresAtMs } = answer;
  const credits = own.has(questionKey) ? answer.credits : 0;
  const told = { questionKey, askedAtMs, expiresAtMs, credits };
  if (answer.kind === 'no-match') return { kind: 'no-match', ...told };
  const record = await unpackAnswer(services, answer);
  return record ? { kind: 'found', record, ...told } : 'by-profile';
}

/** How many domains a batch may name now: as the vendor takes them, and as the budgets pay for. */
async function sizeNow(
  services: GatewayServices,
  { purpose, overrulesReserve }: CompaniesRequest,
): Promise<number> {
  const facts = await readSearchFacts(services);
  if (isStopped(facts)) return 0;
  // With less than a batch costs, the refusal is the budget's to tell.
  return Math.min(
    facts.size,
    Math.max(FEWEST, Math.floor((await services.ledger.now()).left(purpose, { overrulesReserve }))),
  );
}

/** A company of a batch in doubt is left alone until that is booked, and so skips a cycle. */
function later({ clock }: GatewayServices, reason: 'noted' | 'doubt'): CompanyResult {
  const [ms, detail] =
    reason === 'doubt'
      ? [BATCH_DOUBT_MS, 'It was looked up together with others, and no answer came back.']
      : [MINUTE_MS, 'Another worker is asking about this company among others.'];
  return { kind: 'waiting', reason: 'asked-by-another', untilMs: clock.now() + ms, detail };
}
