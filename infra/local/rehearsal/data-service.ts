import type { Policy } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import { LOOKUPS, type VendorFindings } from '#shared/questions';
import { isPublishedText } from '#shared/vendor';
import {
  type Assumption,
  type AssumptionVerdict,
  asAssumed,
  assumptionRows,
  differs,
  notSeen,
  notSeenWith,
} from './assumption.ts';

export type DataServiceStep = 'miss' | 'empty-search' | 'domain' | 'second-page' | 'rate';

interface DataServiceAssumption extends Assumption {
  readonly step: DataServiceStep | { readonly none: string };
}

/** The step of `probe` that checks an assumption. */
const STEPS: Readonly<Record<string, DataServiceStep>> = {
  'miss-price': 'miss',
  'miss-words': 'miss',
  'empty-search-price': 'empty-search',
  'domain-match': 'domain',
  'second-page': 'second-page',
  'service-rate-headers': 'rate',
  'search-page-size': 'domain',
};

/**
 * Assumptions about the data service, for cases that its documents do not cover. `probe` checks the assumptions that
 * name a step.
 */
export const DATA_SERVICE_ASSUMPTIONS: readonly DataServiceAssumption[] = assumptionRows(`
miss-price | A lookup without a match costs as much as the policy books for it. | our reading | shared/vendor/data-service/lookups.ts | noMatchCost of the policy; infra/sandbox/data-service/settings.ts: noMatchCost | test/unit/infra/cli/probe.test.ts
miss-words | A lookup without a match is answered with status 404 and a text of the published ones. | documented in part | shared/vendor/data-service/failures.ts | infra/sandbox/data-service/requests.ts | test/contract/data-service/errors.test.ts
empty-search-price | A search without results costs as much as the policy books for it. | our reading | shared/vendor/data-service/lookups.ts | emptySearchCost of the policy; infra/sandbox/data-service/settings.ts: emptySearchCost | test/unit/infra/cli/probe.test.ts
domain-match | A company search by domain finds companies of that domain only. | our reading | infra/cli/commands/probe.ts | infra/sandbox/data-service/settings.ts: companyMatching | test/unit/infra/cli/probe.test.ts
second-page | The second page of a search does not repeat the first. | our reading | shared/vendor/data-service/pagination.ts | infra/sandbox/data-service/operations.ts | test/unit/infra/cli/probe.test.ts
service-rate-headers | Answers carry x-ratelimit headers with the limit, what is left, and the reset. | documented, the unit of the reset is not | shared/vendor/data-service/failures.ts | infra/sandbox/data-service/settings.ts: rateHeaders | test/contract/data-service/rate-limit.test.ts
rate-window | The minute of the rate limit may be a fixed window, a sliding one or a bucket. All three are safe. | our reading | shared/rate-limiter/slots.ts | infra/sandbox/data-service/settings.ts: rateAlgorithm | test/unit/infra/sandbox/data-service/rate-limit.test.ts | telling them apart takes minutes at the full rate, and a credit for each request
search-page-size | A search delivers and charges no more results than its page asks for. | our reading | shared/vendor/data-service/lookups.ts | infra/sandbox/data-service/settings.ts: pageOverrun | test/unit/infra/cli/probe.test.ts
`).map(({ none, ...row }) => ({ ...row, step: STEPS[row.id] ?? { none } }));

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/**
 * Compares the probe's results with the assumptions of the policy and the stand-in. Each assumption about the data
 * service gets a verdict.
 * @param unanswered why the latest probe has no answer, by step
 */
export function probeObservations(
  findings: VendorFindings,
  {
    noMatchCost = LOOKUPS.lookUpPerson.price.miss,
    emptySearchCost,
  }: Pick<Policy, 'noMatchCost' | 'emptySearchCost'>,
  unanswered: ReadonlyMap<DataServiceStep, string>,
): Readonly<Record<string, AssumptionVerdict>> {
  const { miss, emptySearch, domainMatch, secondPage, rateHeaders } = findings;
  const isUnusedFound = emptySearch !== undefined && emptySearch.results > 0;
  const lacked = RATE_HEADERS.filter((name) => rateHeaders[name] === undefined);
  const searchCost = { booked: emptySearchCost, option: '--empty-search-charged' };
  const verdicts: Readonly<Record<string, AssumptionVerdict | undefined>> = {
    'miss-price':
      miss && priceVerdict(miss.chargedCredits, { booked: noMatchCost, option: '--miss-charged' }),
    'miss-words': miss && wordsVerdict(miss.words),
    'empty-search-price': isUnusedFound
      ? notSeen('unused-domain-found')
      : emptySearch && priceVerdict(emptySearch.chargedCredits, searchCost),
    'domain-match': isUnusedFound
      ? differs('an unused domain finds companies')
      : domainMatch && DOMAIN_VERDICTS[domainMatch],
    'second-page': secondPage && PAGE_VERDICTS[secondPage],
    'search-page-size': domainMatch && sizeVerdict(findings),
    'service-rate-headers':
      lacked.length === 0 ? asAssumed() : differs(`an answer lacks ${lacked.join(', ')}`),
  };
  return Object.fromEntries(
    DATA_SERVICE_ASSUMPTIONS.map(({ id, step }) => {
      if (typeof step !== 'string') return [id, notSeenWith('not-rehearsed', { reason: step.none })];
      const reason = unanswered.get(step);
      const known = verdicts[id] ?? notSeen('not-asked');
      return [id, reason === undefined ? known : notSeenWith('step-stopped', { reason })];
    }),
  );
}

/** Compares a price. The probe's questions have no options, so their full price and base price are both 1 credit. */
function priceVerdict(
  charged: number | undefined,
  { booked, option }: { booked: 'none' | 'base' | 'full'; option: string },
): AssumptionVerdict {
  if (charged === undefined) return notSeenWith('price-not-named', { option });
  const expected = booked === 'none' ? 0 : 1;
  if (charged === expected) return asAssumed(counted(charged, 'credit'));
  return differs(`it costs ${counted(charged, 'credit')}, the policy books ${counted(expected, 'credit')}`);
}

/** The text itself stays out of the report, because a service can quote the question in it. */
function wordsVerdict(words: string | undefined): AssumptionVerdict {
  if (words === undefined) return notSeen('text-not-stored');
  if (words === '') return differs('no answer with status 404 and a text came');
  const error = words.split(': ').at(-1) ?? '';
  return isPublishedText(error) ? asAssumed() : differs('the text of the answer is not a published one');
}

const DOMAIN_VERDICTS = {
  exact: asAssumed(),
  'other-domain': notSeen('second-domain'),
  wider: differs('a domain finds companies of other domains too'),
  nothing: notSeen('unknown-domain'),
} as const satisfies Record<string, AssumptionVerdict>;

const PAGE_VERDICTS = {
  other: asAssumed(),
  repeated: differs('the second page repeats the first'),
  empty: notSeen('one-company'),
} as const satisfies Record<string, AssumptionVerdict>;

function sizeVerdict({ domainMatch, secondPage, exceedsPage }: VendorFindings): AssumptionVerdict {
  if (exceedsPage) return differs('a page of one result has more');
  if (secondPage === 'other') return asAssumed();
  return domainMatch === 'nothing' ? DOMAIN_VERDICTS.nothing : notSeen('one-company');
}
