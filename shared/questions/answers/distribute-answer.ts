import type { Digest, Packing } from '#shared/kernel';
import { change } from '#shared/versioned-items';
import type { GatewayServices } from '../gateway-services.ts';
import { readLinks } from '../people/links.ts';
import type { SideItemServices } from '../people/side-items.ts';
import { companyKey } from '../question.ts';
import type { QuestionItem, StoredAnswer } from '../schemas.ts';
import { answerInBatch } from '../stored-answers.ts';
import { questionKind } from '../stored-kinds.ts';
import { companyKeys, type Fitted, fitResults } from './fit-results.ts';
import { handOver } from './notes.ts';

interface Services extends SideItemServices {
  readonly items: GatewayServices['items'];
  readonly clock: GatewayServices['clock'];
  readonly digest: Digest;
  readonly packing: Packing;
}

interface BatchAnswer {
  readonly answer: StoredAnswer;
  /** `{ data: [...] }`; absent if the search found nothing. */
  readonly record?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Copies each result of a batch to the stored question of its company. Any process can repeat this safely. A company
 * without a result counts as a miss of the search. If the search returned as many results as it may, the company's
 * result is unknown instead.
 */
export async function distributeAnswer(
  services: Services,
  { key, attempt }: Pick<QuestionItem, 'key' | 'attempt'>,
  { answer, record }: BatchAnswer,
): Promise<void> {
  const { domains = [], worstCaseCredits = 0, reservationId = '' } = attempt ?? {};
  const results = resultsOf(record);
  const { byDomain } = await fitByAliases(services, domains, results);
  const isPageFull = results.length >= worstCaseCredits;
  await Promise.all(
    domains.map((domain) => {
      const result = byDomain.get(domain);
      const packed = result && services.packing.pack(result);
      const isUnknown = isPageFull && packed === undefined;
      const companyAnswer = isUnknown ? undefined : answerInBatch(answer, { batch: key, packed });
      return giveToCompany(services, domain, { reservationId, answer: companyAnswer });
    }),
  );
}

async function giveToCompany(
  { items, digest, clock }: Services,
  domain: string,
  given: { readonly reservationId: string; readonly answer: StoredAnswer | undefined },
): Promise<void> {
  const key = companyKey(domain, digest);
  await change(items, { key: questionKind.key(key), kind: 'question', clock }, (item) =>
    handOver(item, { ...given, nowMs: clock.now() }),
  );
}

/**
 * Assigns the results to the requested domains. A result may have another domain than the requested one. Then the index
 * of earlier answers shows which company it belongs to.
 */
async function fitByAliases(
  services: SideItemServices & Pick<Services, 'digest'>,
  domains: readonly string[],
  results: readonly Readonly<Record<string, unknown>>[],
): Promise<Fitted> {
  const fitted = fitResults(domains, results);
  if (fitted.unfit.length === 0) return fitted;
  const { digest } = services;
  const domainByKey = new Map(domains.map((domain) => [companyKey(domain, digest), domain]));
  const unassigned = domains.filter((domain) => !fitted.byDomain.has(domain));
  const aliases = new Map<object, string[]>();
  for (const result of fitted.unfit) {
    const links = companyKeys(result, digest).map((key) => readLinks(services, 'questions', key));
    const questionKeys = (await Promise.all(links)).flat();
    aliases.set(
      result,
      questionKeys.flatMap((key) => domainByKey.get(key) ?? []),
    );
  }
  const byAlias = fitResults(unassigned, fitted.unfit, (result) => aliases.get(result) ?? []);
  return { byDomain: new Map([...fitted.byDomain, ...byAlias.byDomain]), unfit: byAlias.unfit };
}

export function resultsOf(
  record: Readonly<Record<string, unknown>> | undefined,
): readonly Readonly<Record<string, unknown>>[] {
  const list = record?.['data'];
  return Array.isArray(list) ? list.filter((each) => typeof each === 'object' && each !== null) : [];
}
