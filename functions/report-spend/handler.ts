import { statementCsv } from '#shared/credit-ledger';
import { type Logger, readQuery } from '#shared/kernel';
import type { GatewayEvent, GatewayResult } from '#shared/lambda';
import {
  chargesCsv,
  FILE_CHARGES,
  framed,
  isSelected,
  isWholeMonth,
  monthsOf,
  pageLinks,
  pickedFrom,
  type Query,
  type RefusedQuery,
  readCharges,
  readMonthStatement,
  readReport,
  readView,
  refusalView,
  reportSelection,
  selectionQuery,
  spendCsv,
  VIEWS,
  type View,
  type ViewSources,
  widgetLinks,
  widgetOf,
} from '#shared/spend';

/**
 * Event of a CloudWatch dashboard for a custom widget (CloudWatch user guide, "Create a custom widget"). The event
 * either asks for documentation, or contains the widget's parameters and context. After a click, it also contains the
 * view, the view's parameters and the fields of the widget's form.
 */
export type WidgetEvent =
  | { readonly describe: boolean }
  | {
      readonly view?: unknown;
      readonly query?: unknown;
      readonly month?: unknown;
      readonly widgetContext: {
        readonly theme?: string | undefined;
        readonly forms?: { readonly all?: unknown } | undefined;
      };
    };

/** The part of Lambda's context that the widget needs, because the widget's links call this function. */
export interface WidgetCall {
  readonly invokedFunctionArn: string;
}

const DOCUMENTATION = `### Credit spend

The credits that the enrichment has spent: today, this month, by day, operation, purpose and outcome; budgets, forecast and open doubts; the charges behind each figure, and the records that wait. Days and months are those of the policy's time zone, whatever the dashboard shows; the dashboard's time range does not change them.

Parameters, all optional: \`month\` (\`2026-11\`). Other ranges and filters are picked in the widget.
`;

/** Renders the spend page as a widget. Documentation is Markdown, everything else is HTML. Changes nothing. */
export function createWidgetHandler(services: ViewSources) {
  return async (event: WidgetEvent, { invokedFunctionArn }: WidgetCall): Promise<string> => {
    if ('describe' in event) return DOCUMENTATION;
    const { widgetContext } = event;
    const theme = widgetContext.theme === 'dark' ? 'dark' : 'light';
    const view = VIEWS.find((each) => each === event.view) ?? 'spend';
    const links = widgetLinks(invokedFunctionArn, await services.place());
    const result = await readView(services, { view, query: queryOf(event), links });
    if (result.kind === 'shown') return widgetOf(result.shown, theme);
    return widgetOf(refusalView(result, links), theme);
  };
}

/** Returns the parameters of a view. A link contains all parameters. A form's parameters are its fields. */
function queryOf(event: Exclude<WidgetEvent, { readonly describe: boolean }>): Query {
  const isClicked = event.view !== undefined;
  if (!isClicked) return textsOf({ month: event.month });
  return textsOf(event.query ?? event.widgetContext.forms?.all);
}

function textsOf(given: unknown): Query {
  const pairs = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

export interface SpendReporterServices extends ViewSources {
  readonly logger: Logger;
}

export type ReportEvent = Pick<GatewayEvent, 'rawPath' | 'rawQueryString' | 'requestContext'>;

type Answer = (services: SpendReporterServices, query: Query) => Promise<GatewayResult>;

const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['/spend', (services, query) => pageOf(services, { view: 'spend', query, root: '' })],
  ['/spend.json', reportJson],
  ['/spend.csv', reportCsv],
  ['/spend/statement', (services, query) => pageOf(services, { view: 'statement', query, root: '../' })],
  ['/spend/statement.csv', statementFile],
  ['/spend/charges', (services, query) => pageOf(services, { view: 'charges', query, root: '../' })],
  ['/spend/charges.json', chargesJson],
  ['/spend/charges.csv', chargesFile],
  ['/spend/waiting', (services, query) => pageOf(services, { view: 'waiting', query, root: '../' })],
]);

/** Shows the spend, with its charges and records, as pages, JSON and CSV. Changes nothing. */
export function createHandler(services: SpendReporterServices) {
  return async (event: ReportEvent): Promise<GatewayResult> => {
    const result = await resultOf(services, event);
    services.logger.info('spend-reported', { status: result.statusCode });
    return result;
  };
}

/**
 * Answers a request while the tables cannot be read.
 * @param problem a sentence that says what to do.
 */
export function unavailable({ rawPath }: Pick<ReportEvent, 'rawPath'>, problem: string): GatewayResult {
  const later = { 'retry-after': '60' };
  if (/\.(?:csv|json)$/.test(rawPath)) return text(503, problem, later);
  const links = pageLinks(rawPath === '/spend' ? '' : '../', {});
  return answer(503, 'text/html', framed(refusalView(problem, links)), later);
}

async function resultOf(services: SpendReporterServices, event: ReportEvent): Promise<GatewayResult> {
  const answerer = ANSWERS.get(event.rawPath);
  if (!answerer) return text(404, `There is ${[...ANSWERS.keys()].join(', ')}.`);
  if (event.requestContext.http.method !== 'GET') return text(405, 'Only GET.', { allow: 'GET' });
  const query = readQuery(event.rawQueryString);
  if (!query) return text(400, 'Give each parameter once.');
  return answerer(services, query);
}

async function pageOf(
  services: SpendReporterServices,
  { view, query, root }: { readonly view: View; readonly query: Query; readonly root: '' | '../' },
): Promise<GatewayResult> {
  const links = pageLinks(root, await services.place());
  const result = await readView(services, { view, query, links });
  if (result.kind === 'refused')
    return answer(statusOf(result), 'text/html', framed(refusalView(result, links)));
  return answer(200, 'text/html', framed(result.shown));
}

async function reportJson(services: SpendReporterServices, query: Query): Promise<GatewayResult> {
  const choice = pickedFrom(services, query);
  if (choice.kind === 'refused') return text(400, choice.problem);
  return answer(200, 'application/json', JSON.stringify(await readReport(services, reportSelection(choice))));
}

async function reportCsv(services: SpendReporterServices, query: Query): Promise<GatewayResult> {
  const choice = pickedFrom(services, query);
  if (choice.kind === 'refused') return text(400, choice.problem);
  const { selection } = choice;
  const { rows } = await services.spendBook.read({ months: monthsOf(selection) });
  const selected = rows.filter((row) => isSelected(selection, row));
  const { from, to } = selection;
  const range = isWholeMonth(selection) ? from.slice(0, 7) : `${from}-to-${to}`;
  return answer(200, 'text/csv', spendCsv(selected), attached(`spend-${range}.csv`));
}

async function statementFile(services: SpendReporterServices, query: Query): Promise<GatewayResult> {
  const read = await readMonthStatement(services, query);
  if (read.kind === 'refused') return text(statusOf(read), read.problem);
  const { statement } = read;
  return answer(200, 'text/csv', statementCsv(statement), attached(`statement-${statement.month}.csv`));
}

/** A month without a statement is asked for rightly. */
function statusOf({ code }: RefusedQuery): 400 | 404 {
  return code === 'no-statement' ? 404 : 400;
}

async function chargesJson(services: SpendReporterServices, query: Query): Promise<GatewayResult> {
  const read = await readCharges(services, query, FILE_CHARGES);
  if (read.kind === 'refused') return text(400, read.problem);
  const { selection, selected, record, page } = read;
  return answer(200, 'application/json', JSON.stringify({ selection, record, selected, ...page }));
}

/**
 * Returns all charges. If one file cannot hold them, its last line says so, and the header `link` (RFC 8288) names the
 * next file.
 */
async function chargesFile(services: SpendReporterServices, query: Query): Promise<GatewayResult> {
  const read = await readCharges(services, query, FILE_CHARGES);
  if (read.kind === 'refused') return text(400, read.problem);
  const { selection, record, page } = read;
  const { nextSeq } = page;
  const next = { ...selectionQuery(selection), record, before: String(nextSeq) };
  const given = Object.entries(next).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const link = `<charges.csv?${new URLSearchParams(given)}>; rel="next"`;
  return answer(200, 'text/csv', chargesCsv(page), {
    ...attached('charges.csv'),
    ...(nextSeq !== undefined && { link }),
  });
}

function attached(filename: string): Readonly<Record<string, string>> {
  return { 'content-disposition': `attachment; filename="${filename}"` };
}

/**
 * Headers that restrict the page. It has only inline styles, and its forms are sent only to the page itself. The
 * browser blocks everything else.
 */
const SAFETY = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
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
): GatewayResult {
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
): GatewayResult {
  return answer(statusCode, 'text/plain', `${body}\n`, headers);
}
