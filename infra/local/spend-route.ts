import { type ReportResult, unavailable } from '../../functions/report-spend/handler.ts';
import { failureOf } from './failure.ts';
import type { GatewayEvent, Route } from './http-server.ts';

/**
 * The spend page on this machine. Tables that cannot be read now do not end the server.
 * @param problemOf a sentence for the person at the page; nothing for a mistake of the program
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

/** The page of a stranger could make this machine read the tables again and again. A link from there is no harm. */
function isOfOtherSite({ headers }: GatewayEvent): boolean {
  const { origin, host } = headers;
  const isOwn = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  return !isOwn || (headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate');
}
