import { createRecords, openLambda } from '#shared/composition/adapters';
import { createBooksToRead, createLedgerFault } from '#shared/credit-ledger/adapters';
import { createBackfills } from '#shared/enrichment/adapters';
import { readEnvironment } from '#shared/kernel';
import { readBreakers, withoutOldKey } from '#shared/questions';
import { createBreakerItems, createDoubtReaders } from '#shared/questions/adapters';
import {
  createCounted,
  createDynamoDailyYield,
  createDynamoWriteBreakers,
  createPortalId,
  createWriteJournal,
} from '#shared/records/adapters';
import { createDynamoReviews } from '#shared/review/adapters';
import { createDynamoStopDays, createSpend } from '#shared/spend/adapters';
import { envSchema } from './env.ts';
import { createHandler, type ReportEvent } from './handler.ts';
import { createWidgetHandler, type WidgetCall, type WidgetEvent } from './widget.ts';

const env = readEnvironment(envSchema, process.env);
const lambda = openLambda(env, {
  ledger: env.LEDGER_TABLE,
  questions: env.QUESTIONS_TABLE,
  rateLimiter: env.RATE_LIMITER_TABLE,
  records: env.RECORDS_TABLE,
});
const { ledger, ledgerStore } = createBooksToRead(lambda);
const { clock, logger, policy } = lambda;
const states = createRecords(lambda);
const breakerItems = createBreakerItems(lambda);
const sources = {
  spendBook: createSpend(lambda, ledgerStore),
  ledger,
  ledgerStore,
  states,
  journal: createWriteJournal(lambda),
  reviews: createDynamoReviews(lambda),
  bookedDoubts: createDoubtReaders(lambda).bookedDoubts,
  portalId: createPortalId(lambda, env.HUBSPOT_PORTAL_ID),
  waiting: { records: states, counted: createCounted(lambda) },
  backfills: createBackfills(lambda).backfills,
  dailyYield: createDynamoDailyYield(lambda),
  stopDays: createDynamoStopDays(lambda),
  stops: {
    // This function does not know the key in use, so it hides stops that belong to an old key.
    breakers: {
      read: async () => withoutOldKey(await readBreakers({ items: breakerItems }), clock.now()),
    },
    writeBreakers: createDynamoWriteBreakers(lambda),
    ledgerFault: createLedgerFault(lambda),
  },
  // Only real services are deployed; stand-ins run on laptops.
  service: 'real' as const,
  stack: env.POWERTOOLS_SERVICE_NAME,
  timeZone: policy.timeZone,
  creditPrice: policy.creditPrice,
  clock,
};
const answer = createHandler({ ...sources, logger });
const show = createWidgetHandler(sources);

/** Called by an HTTP API or by a CloudWatch dashboard. */
export const handler = lambda.around(async (event: ReportEvent | WidgetEvent, context: WidgetCall) =>
  'requestContext' in event ? answer(event) : show(event, context),
);
