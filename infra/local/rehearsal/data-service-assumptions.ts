import type { Assumption } from './assumption.ts';

const SETTINGS = 'infra/sandbox/data-service/settings.ts';
const PROBED_IN = 'test/unit/infra/cli/probe.test.ts';
const TURNED_IN = 'test/unit/infra/cli/probe-turned.test.ts';

export type DataServiceStep = 'miss' | 'empty-search' | 'domain' | 'second-page' | 'rate';

export interface DataServiceAssumption extends Assumption {
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
    reliedOnBy: 'infra/cli/commands/questions/probe-steps.ts',
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
    reliedOnBy: 'shared/vendor/data-service/rate-headers.ts',
    toChange: `${SETTINGS}: rateHeaders`,
    test: 'test/contract/data-service/rate-limit.test.ts',
    step: 'rate',
  },
  {
    id: 'rate-window',
    what: 'The minute of the rate limit may be a fixed window, a sliding one or a bucket. All three are safe.',
    source: 'our reading',
    reliedOnBy: 'shared/rate-limiter/acquire.ts',
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
    test: TURNED_IN,
    step: 'domain',
  },
];
