import { SECOND_MS } from '#shared/kernel';
import { type Assumption, metOr } from './assumption.ts';
import { DATA_SERVICE_ASSUMPTIONS } from './data-service.ts';
import { RECORD_STEPS } from './record-steps.ts';
import { REQUEST_STEPS } from './request-steps.ts';
import type { RehearsalStep, Stage } from './stage.ts';
import { WEBHOOK_STEPS } from './webhook-steps.ts';

const SETTINGS = 'infra/sandbox/hubspot/settings.ts';
/** Timeout of our client for one answer. */
const ANSWER_MOST_MS = 10 * SECOND_MS;

export const HUBSPOT_STEPS: readonly RehearsalStep[] = [
  ...REQUEST_STEPS,
  ...RECORD_STEPS,
  ...WEBHOOK_STEPS,
  {
    name: 'answer-time',
    about: 'how long answers take',
    run: answerTime,
    assumptions: {
      'answer-time': {
        what: 'An answer comes within ten seconds.',
        source: 'our reading',
        reliedOnBy: 'shared/hubspot/transport.ts',
        toChange: `${SETTINGS}: latencyMs`,
      },
    },
  },
];

async function answerTime({ account, note }: Stage): Promise<void> {
  await account.tokenInfo();
  const seconds = Math.ceil(account.slowestMs() / SECOND_MS);
  const isSoon = account.slowestMs() <= ANSWER_MOST_MS;
  note('answer-time', metOr(isSoon, `an answer took ${seconds} s, expected 10 s at most`));
}

/** Assumptions about HubSpot that no step checks. */
const UNREHEARSED_ASSUMPTIONS: readonly Assumption[] = [
  {
    id: 'conditional-rules',
    what: 'Conditional rules of an administrator refuse writes on paths of 2026-09 only.',
    source: 'documented',
    reliedOnBy: 'shared/hubspot/failures.ts',
    toChange: `${SETTINGS}: writeRules`,
    test: 'test/unit/infra/sandbox/hubspot/records.test.ts',
    step: { none: 'no API creates such a rule' },
  },
  {
    id: 'value-rules',
    what: 'A rule on the values of a property refuses a write with the code of the rule.',
    source: 'our reading',
    reliedOnBy: 'shared/hubspot/failures.ts',
    toChange: `${SETTINGS}: valueRules`,
    test: 'test/contract/traps/traps.test.ts',
    step: { none: 'a rehearsal does not change rules of the account' },
  },
  {
    id: 'webhook-retries',
    what: 'HubSpot retries a refused delivery ten times within 24 hours.',
    source: 'documented',
    reliedOnBy: 'functions/receive-webhook/handler.ts',
    toChange: `${SETTINGS}: webhookRetryScale`,
    test: 'test/unit/infra/sandbox/hubspot/webhooks.test.ts',
    step: { none: 'it would take a day' },
  },
  {
    id: 'webhook-timeout',
    what: 'HubSpot waits five seconds for an answer to a webhook.',
    source: 'documented',
    reliedOnBy: 'functions/receive-webhook/handler.ts',
    toChange: `${SETTINGS}: webhookTimeoutMs`,
    test: 'test/unit/infra/sandbox/hubspot/webhooks.test.ts',
    step: { none: 'a late answer would repeat events of the whole account' },
  },
  {
    id: 'daily-reset',
    what: "The daily limit is reset at midnight in the account's time zone.",
    source: 'documented',
    reliedOnBy: 'shared/hubspot/transport.ts',
    toChange: 'infra/sandbox/hubspot/limits.ts',
    test: 'test/unit/shared/hubspot/hubspot-client.test.ts',
    step: { none: 'it would take the whole limit of the account' },
  },
  {
    id: 'card-signature',
    what: 'Requests of the card are signed with version 3, those of a workflow action with version 2.',
    source: 'documented',
    reliedOnBy: 'shared/hubspot/webhooks.ts',
    toChange: 'infra/sandbox/hubspot/verbs.ts',
    test: 'test/features/card.test.ts',
    step: { none: 'only HubSpot pages send them; open a card and run the action once' },
  },
  {
    id: 'app-pages',
    what: 'Platform 2026.09 takes an app page of type `page` with an entry point and no location, and its code extends `pages`.',
    source: "HubSpot's project template of 2026.09-beta, and the types of @hubspot/ui-extensions 0.17.0",
    reliedOnBy: 'infra/hubspot-app/src/app/pages/pages.tsx',
    toChange: 'infra/hubspot-app/src/app/pages/pages-hsmeta.json',
    test: 'test/unit/infra/hubspot-app/app-files.test.ts',
    step: { none: 'only an upload of the app shows it; run `hs project upload`, and open the home page' },
  },
  {
    id: 'names-by-search',
    what: 'A page of the app reads names of records by `useCrmSearch`, with a filter `IN` on `hs_object_id` and at most 100 ids.',
    source: 'the types of @hubspot/ui-extensions 0.17.0; the number is our reading',
    reliedOnBy: 'infra/hubspot-app/src/app/pages/names.tsx',
    toChange: 'infra/sandbox/hubspot/verbs.ts',
    test: 'test/system/browser/home.test.ts',
    step: { none: 'only a page inside HubSpot can call the hook; open the home page' },
  },
  {
    id: 'concurrent-writes',
    what: 'HubSpot has no conditional write: of two writes at once the later one wins.',
    source: 'our reading',
    reliedOnBy: 'shared/enrichment/write-back/by-history.ts',
    toChange: 'infra/sandbox/hubspot/records.ts',
    test: 'test/features/people-win.test.ts',
    step: { none: 'who was later cannot be seen from outside' },
  },
];

export const HUBSPOT_ASSUMPTIONS: readonly Assumption[] = [
  ...HUBSPOT_STEPS.flatMap(({ name: step, assumptions }) =>
    Object.entries(assumptions).map(([id, assumed]) => ({
      id,
      ...assumed,
      test: 'test/unit/infra/rehearsal/rehearse-hubspot.test.ts',
      step,
    })),
  ),
  ...UNREHEARSED_ASSUMPTIONS,
];

/** All assumptions, by service. `docs/reference/assumptions.md` is generated from this list. */
export const ASSUMPTIONS: Readonly<Record<string, readonly Assumption[]>> = {
  HubSpot: HUBSPOT_ASSUMPTIONS,
  'The data service': DATA_SERVICE_ASSUMPTIONS,
};
