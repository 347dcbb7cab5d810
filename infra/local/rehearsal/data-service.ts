import type { Policy } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import { LOOKUPS, type VendorFindings } from '#shared/questions';
import { isPublishedText } from '#shared/vendor';
import {
  type Assumption,
  type AssumptionVerdict,
  asAssumed,
  differs,
  notSeen,
  notSeenWith,
} from './assumption.ts';

const SETTINGS = 'infra/sandbox/data-service/settings.ts';
const PROBED_IN = 'test/unit/infra/cli/probe.test.ts';

export type DataServiceStep = 'miss' | 'empty-search' | 'domain' | 'second-page' | 'rate';

interface DataServiceAssumption extends Assumption {
  readonly step: DataServiceStep | { readonly none: string };
}

/**
 * Assumptions about the data service, for cases that its documents do not cover. `probe` checks the assumptions that
 * name a step.
 */
export const DATA_SERVICE_ASSUMPTIONS: readonly DataServiceAssumption[] = [
  {
    id: 'miss-price',
    what: 'A lookup without a match costs as much as the policy books for it.',
    source: 'our reading',
    reliedOnBy: 'shared/vendor/data-service/lookups.ts',
    toChange: `noMatchCost of the policy; ${SETTINGS}: noMatchCost`,
    test: PROBED_IN,
    step: 'miss',
  },
  {
    id: 'miss-words',
    what: 'A lookup without a match is answered with status 404 and a text of the published ones.',
    source: 'documented in part',
    reliedOnBy: 'shared/vendor/data-service/failures.ts',
    toChange: 'infra/sandbox/data-service/requests.ts',
    test: 'test/contract/data-service/errors.test.ts',
    step: 'miss',
  },
  {
    id: 'empty-search-price',
    what: 'A search without results costs as much as the policy books for it.',
    source: 'our reading',
    reliedOnBy: 'shared/vendor/data-service/lookups.ts',
    toChange: `emptySearchCost of the policy; ${SETTINGS}: emptySearchCost`,
    test: PROBED_IN,
    step: 'empty-search',
  },
  {
    id: 'domain-match',
    what: 'A company search by domain finds companies of that domain only.',
    source: 'our reading',
    reliedOnBy: 'infra/cli/commands/probe.ts',
    toChange: `${SETTINGS}: companyMatching`,
    test: PROBED_IN,
    step: 'domain',
  },
  {
    id: 'second-page',
    what: 'The second page of a search does not repeat the first.',
    source: 'our reading',
    reliedOnBy: 'shared/vendor/data-service/pagination.ts',
    toChange: 'infra/sandbox/data-service/operations.ts',
    test: PROBED_IN,
    step: 'second-page',
  },
  {
    id: 'service-rate-headers',
    what: 'Answers carry x-ratelimit headers with the limit, what is left, and the reset.',
    source: 'documented, the unit of the reset is not',
    reliedOnBy: 'shared/vendor/data-service/failures.ts',
    toChange: `${SETTINGS}: rateHeaders`,
    test: 'test/contract/data-service/rate-limit.test.ts',
    step: 'rate',
  },
  {
    id: 'rate-window',
    what: 'The minute of the rate limit may be a fixed window, a sliding one or a bucket. All three are safe.',
    source: 'our reading',
    reliedOnBy: 'shared/rate-limiter/slots.ts',
    toChange: `${SETTINGS}: rateAlgorithm`,
    test: 'test/unit/infra/sandbox/data-service/rate-limit.test.ts',
    step: { none: 'telling them apart takes minutes at the full rate, and a credit for each request' },
  },
  {
    id: 'search-page-size',
    what: 'A search delivers and charges no more results than its page asks for.',
    source: 'our reading',
    reliedOnBy: 'shared/vendor/data-service/lookups.ts',
    toChange: `${SETTINGS}: pageOverrun`,
    test: PROBED_IN,
    step: 'domain',
  },
];

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
