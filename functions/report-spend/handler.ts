import { dayOf, monthOfDay } from '#shared/credit-ledger/calendar.ts';
import type { Logger } from '#shared/kernel/logger.ts';
import { spendCsv } from '#shared/spend/csv.ts';
import { spendPage } from '#shared/spend/page/page.ts';
import { type ReportSources, readReport } from '#shared/spend/read-report.ts';

export interface SpendReporterServices extends ReportSources {
  readonly logger: Logger;
}

/** The part of an API Gateway HTTP API event (payload 2.0) that the reporter needs. */
export interface ReportEvent {
  readonly rawPath: string;
  readonly requestContext: { readonly http: { readonly method: string } };
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface ReportResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Answer = (services: SpendReporterServices, event: ReportEvent) => Promise<ReportResult>;

const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['/spend', async (services) => answer(200, 'text/html', spendPage(await readReport(services)))],
  [
    '/spend.json',
    async (services) => answer(200, 'application/json', JSON.stringify(await readReport(services))),
  ],
  ['/spend.csv', csvOf],
]);

/** Shows what was spent, as a page, as JSON, and as CSV (`?month=2026-11`, this month's by default). Only reads. */
export function createHandler(services: SpendReporterServices) {
  return async (event: ReportEvent): Promise<ReportResult> => {
    const result = await resultOf(services, event);
    services.logger.info('spend-reported', { status: result.statusCode });
    return result;
  };
}

async function resultOf(services: SpendReporterServices, event: ReportEvent): Promise<ReportResult> {
  const answerer = ANSWERS.get(event.rawPath);
  if (!answerer) return text(404, 'There is /spend, /spend.json and /spend.csv.');
  if (event.requestContext.http.method !== 'GET') return text(405, 'Only GET.', { allow: 'GET' });
  return answerer(services, event);
}

async function csvOf(services: SpendReporterServices, event: ReportEvent): Promise<ReportResult> {
  const { clock, timeZone } = services;
  const month = event.queryStringParameters?.['month'] ?? monthOfDay(dayOf(clock.now(), timeZone));
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) return text(400, 'month must be like 2026-11.');
  const { rows } = await services.spendBook.read({ months: [month] });
  return answer(200, 'text/csv', spendCsv(rows), {
    'content-disposition': `attachment; filename="spend-${month}.csv"`,
  });
}

/** The page carries its style inline and nothing else; whatever else a browser would load or run is refused. */
const SAFETY = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

function answer(
  statusCode: number,
  type: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): ReportResult {
  return {
    statusCode,
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...SAFETY, ...headers },
    body,
  };
}

function text(
  statusCode: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): ReportResult {
  return answer(statusCode, 'text/plain', `${body}\n`, headers);
}
