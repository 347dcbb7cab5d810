import { createLambda } from '../../shared/enrichment/lambda-parts.aws.ts';
import { readEnvironment } from '../../shared/kernel/environment.ts';
import { envSchema } from './env.ts';
import { createHandler, type ReportEvent } from './handler.ts';
import { createWidgetHandler, type WidgetEvent } from './widget.ts';

/** Called by an HTTP API or by a CloudWatch dashboard. */
export const handler = createLambda(
  readEnvironment(envSchema, process.env),
  ({ spendBook, ledger }, { policy, clock, logger }) => {
    const sources = { spendBook, ledger, timeZone: policy.timeZone, clock };
    const answer = createHandler({ ...sources, logger });
    const show = createWidgetHandler(sources);
    return async (event: ReportEvent | WidgetEvent) =>
      'requestContext' in event ? answer(event) : show(event);
  },
);
