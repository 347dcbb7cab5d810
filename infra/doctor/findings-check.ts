import { type VendorFindings, vendorFactsKind } from '#shared/questions';
import { VENDORS } from '#shared/vendor';
import { type CheckRow, commandFor, type Site, seen } from './check.ts';

type FindingsSite = Pick<Site, 'services' | 'policy' | 'stack'>;

/** The checks of what the probe and the lookups have shown about the data service. */
export const FINDINGS_CHECKS: readonly CheckRow<FindingsSite>[] = [
  {
    name: 'probe of the data service',
    failed: 'stores-fail',
    see: async (site) => {
      const findings = (await site.services.vendorFacts.read(vendorFactsKind.key(VENDORS[0].mark)))?.value
        .findings;
      if (!findings) return seen('probe-not-done', { command: commandFor(site, 'probe --max-credits 4') });
      const advices = adviceOf(findings, site);
      if (advices.length === 0) return seen('probe-agrees', {});
      return seen('probe-differs', {
        advices: advices.map(({ code }) => code),
        whatToDo: advices.map(({ text }) => text),
      });
    },
  },
  {
    /** Answers that count as misses, because they have the vendor's format, although the specification lacks their texts. */
    name: 'texts of "no match"',
    failed: 'stores-fail',
    see: async ({ services }) => {
      const misses = (await services.vendorFacts.read(vendorFactsKind.key(VENDORS[0].mark)))?.value
        .unknownMisses;
      if (!misses) return seen('no-unknown-misses', {});
      const { count, lastAtMs, words } = misses;
      return seen('unknown-misses', { count, last: new Date(lastAtMs).toISOString(), words: [...words] });
    },
  },
];

type AdvisedSite = Pick<Site, 'stack'>;

export const FINDING_ADVICE = {
  'miss-charge-unknown': (site: AdvisedSite) =>
    `see in the usage list of its dashboard what both were charged, then run: ${commandFor(site, 'probe --miss-charged N --empty-search-charged N')}`,
  'miss-is-free': () => "a miss was free, the policy books a charge: set noMatchCost: 'none'",
  'miss-is-charged': () => "a miss is charged, the policy books it as free: set noMatchCost: 'full'",
  'empty-search-is-charged': () =>
    "a search without results is charged, the policy books it as free: set emptySearchCost: 'base'",
  'empty-search-is-free': () =>
    "a search without results was free, the policy books one result: set emptySearchCost: 'none'",
  'domain-is-another': (site: AdvisedSite) =>
    `run the probe again with the company's main domain: ${commandFor(site, 'probe --max-credits 4 --domain MAIN-DOMAIN')}`,
  'domain-is-wider': () => 'look at the domain of each record that a search by domain finds',
  'page-is-repeated': () => 'ask for one page of a search at most: --max 100',
} as const;

type FindingAdvice = keyof typeof FINDING_ADVICE;

/**
 * Policy changes for a person to make. The program does not make them itself, because a wrong price could break a
 * budget.
 */
export function adviceOf(
  { miss, emptySearch, domainMatch, secondPage }: VendorFindings,
  site: Pick<Site, 'policy' | 'stack'>,
): readonly { readonly code: FindingAdvice; readonly text: string }[] {
  const { noMatchCost, emptySearchCost } = site.policy;
  const missCharged = miss?.chargedCredits;
  const searchCharged = emptySearch?.chargedCredits;
  const due: Readonly<Record<FindingAdvice, boolean>> = {
    'miss-charge-unknown': missCharged === undefined && Boolean(miss || emptySearch),
    'miss-is-free': missCharged === 0 && noMatchCost !== 'none',
    'miss-is-charged': missCharged !== undefined && missCharged > 0 && noMatchCost === 'none',
    'empty-search-is-charged': Boolean(searchCharged) && emptySearchCost === 'none',
    'empty-search-is-free': searchCharged === 0 && emptySearchCost === 'base',
    'domain-is-another': domainMatch === 'other-domain',
    'domain-is-wider': domainMatch === 'wider',
    'page-is-repeated': secondPage === 'repeated',
  };
  const codes = (Object.keys(due) as FindingAdvice[]).filter((code) => due[code]);
  return codes.map((code) => ({ code, text: FINDING_ADVICE[code](site) }));
}
