import { SECOND_MS } from '#shared/kernel';
import { type Assumption, assumed, assumptionRows, metOr } from './assumption.ts';
import { DATA_SERVICE_ASSUMPTIONS } from './data-service.ts';
import { RECORD_STEPS } from './record-steps.ts';
import { REQUEST_STEPS } from './request-steps.ts';
import type { RehearsalStep, Stage } from './stage.ts';
import { WEBHOOK_STEPS } from './webhook-steps.ts';

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
    assumptions: assumed(`
answer-time | An answer comes within ten seconds. | our reading | shared/hubspot/transport.ts | latencyMs
`),
  },
];

async function answerTime({ account, note }: Stage): Promise<void> {
  await account.tokenInfo();
  const seconds = Math.ceil(account.slowestMs() / SECOND_MS);
  const isSoon = account.slowestMs() <= ANSWER_MOST_MS;
  note('answer-time', metOr(isSoon, `an answer took ${seconds} s, expected 10 s at most`));
}

/** Assumptions about HubSpot that no step checks. */
const UNREHEARSED_ASSUMPTIONS: readonly Assumption[] = assumptionRows(`
conditional-rules | Conditional rules of an administrator refuse writes on paths of 2026-09 only. | documented | shared/hubspot/failures.ts | writeRules | test/unit/infra/sandbox/hubspot/records.test.ts | no API creates such a rule
value-rules | A rule on the values of a property refuses a write with the code of the rule. | our reading | shared/hubspot/failures.ts | valueRules | test/contract/traps/traps.test.ts | a rehearsal does not change rules of the account
webhook-retries | HubSpot retries a refused delivery ten times within 24 hours. | documented | functions/receive-webhook/handler.ts | webhookRetryScale | test/unit/infra/sandbox/hubspot/webhooks.test.ts | it would take a day
webhook-timeout | HubSpot waits five seconds for an answer to a webhook. | documented | functions/receive-webhook/handler.ts | webhookTimeoutMs | test/unit/infra/sandbox/hubspot/webhooks.test.ts | a late answer would repeat events of the whole account
daily-reset | The daily limit is reset at midnight in the account's time zone. | documented | shared/hubspot/transport.ts | infra/sandbox/hubspot/limits.ts | test/unit/shared/hubspot/hubspot-client.test.ts | it would take the whole limit of the account
card-signature | Requests of the card are signed with version 3, those of a workflow action with version 2. | documented | shared/hubspot/webhooks.ts | infra/sandbox/hubspot/verbs.ts | test/features/card.test.ts | only HubSpot pages send them; open a card and run the action once
app-pages | Platform 2026.09 takes an app page of type \`page\` with an entry point and no location, and its code extends \`pages\`. | HubSpot's project template of 2026.09-beta, and the types of @hubspot/ui-extensions 0.17.0 | infra/hubspot-app/src/app/pages/pages.tsx | infra/hubspot-app/src/app/pages/pages-hsmeta.json | test/unit/infra/hubspot-app/app-files.test.ts | only an upload of the app shows it; run \`hs project upload\`, and open the home page
names-by-search | A page of the app reads names of records by \`useCrmSearch\`, with a filter \`IN\` on \`hs_object_id\` and at most 100 ids. | the types of @hubspot/ui-extensions 0.17.0; the number is our reading | infra/hubspot-app/src/app/pages/names.tsx | infra/sandbox/hubspot/verbs.ts | test/system/browser/home.test.ts | only a page inside HubSpot can call the hook; open the home page
concurrent-writes | HubSpot has no conditional write: of two writes at once the later one wins. | our reading | shared/enrichment/write-back/by-history.ts | infra/sandbox/hubspot/records.ts | test/features/people-win.test.ts | who was later cannot be seen from outside
`).map(({ none, ...row }) => ({ ...row, step: { none } }));

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
