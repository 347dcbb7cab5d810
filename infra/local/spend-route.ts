import { type ReportResult, unavailable } from '../../functions/report-spend/handler.ts';
import { failureOf } from './failure.ts';
import type { GatewayEvent, Route } from './http-server.ts';

/**
 * Serves the spend page on this machine. If the tables cannot be read, the page says so and the server continues.
 * @param problemOf returns a sentence for the reader of the page; `undefined` for a bug of the program.
 */
export function spendRoute(
  report: (event: GatewayEvent) => Promise<ReportResult>,
  problemOf: (error: unknown) => string | undefined = (error) => failureOf(error)?.message,
): Route {
  return async (event) => {
    if (isOfOtherSite(event)) return OTHER_SITE;
    try {
      return await report(event);
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      return unavailable(event, problem);
    }
  };
}

const OTHER_SITE = {
  statusCode: 403,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'Another site sent this request. Open the address of this page in your browser instead.\n',
};

/** Detects requests of other sites, which could make this machine read the tables repeatedly. Links from there are allowed. */
function isOfOtherSite({ headers }: GatewayEvent): boolean {
  const { origin, host } = headers;
  const isOwn = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  return !isOwn || (headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate');
}
