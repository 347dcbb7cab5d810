import { readReport, viewSources } from '#shared/spend';
import { createHandler } from '../../../functions/report-spend/handler.ts';
import { type Failure, failureOf } from '../../local/failure.ts';
import { spendRoute, startHttpServer } from '../../local/http-server.ts';
import { environmentOf } from '../../local/terminal.ts';
import { type ParamsOf, sentenceOf, type TextParams, type TextRow, textRow } from '../../local/text-row.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError } from '../terminal/exit.ts';
import { portNumber } from '../terminal/refusals.ts';
import type { Sheet } from '../terminal/sheet.ts';

type PageOptions = CommandOptions & { readonly port?: number };

export function addPage(program: SheetCommand): void {
  program
    .command('page')
    .description('serve the spend page on this machine until Ctrl-C; it only reads')
    .option('--port <port>', 'this port of 127.0.0.1 (default: any free one)', portNumber)
    .example('--port 8080')
    .sheet(serve);
}

async function serve(run: CommandRun, { port = 0 }: PageOptions): Promise<Sheet> {
  const connection = await run.connectToRead();
  const { services, policy, clock, logger, isReal, stack, hubSpotSite: hubSpot } = connection;
  const service = isReal ? 'real' : 'stand-in';
  const sources = viewSources(services, {
    ...{ service, stack: stack?.name, policy, clock, hubSpot },
    environment: stack ? undefined : environmentOf(run.env['DATA_DIR']),
  });
  const problemOf = (error: unknown) => readProblem(error, { isStack: stack !== undefined })?.message;
  // Reports a missing permission before a person opens the page.
  await readReport(sources).catch((error: unknown) => {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    throw new CliError('unreadable', problem);
  });
  const report = createHandler({ ...sources, logger });
  const route = spendRoute(report, problemOf);
  const server = await startHttpServer({ port, setting: '--port' }, { '/spend': route });
  const url = `${server.url}/spend`;
  return {
    json: { url },
    body: [`Spend page: ${url}`, 'It only reads. Press Ctrl-C to stop it.'],
    until: async () => {
      await aborted(run.signal);
      await server.close();
    },
  };
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Why the page cannot read the tables now, and what to change. */
export const READ_PROBLEMS = {
  'not-allowed': textRow(
    'AWS does not allow you {action} ({name})',
    'allow the actions that docs/operations/page-policy.json lists',
  ),
  'not-signed-in': textRow(
    'AWS does not accept your credentials ({name})',
    'check AWS_PROFILE, sign in, and start this command again',
  ),
  'table-gone': textRow(
    'A table of the stack is gone ({name})',
    'start this command again, because it then looks for the tables again',
  ),
  'tables-silent': textRow(
    'The tables of the stack do not answer ({name})',
    'load the page again in a minute',
  ),
};

type ReadProblem = keyof typeof READ_PROBLEMS;

const NOT_ALLOWED = /AccessDenied/;
const NOT_SIGNED_IN =
  /ExpiredToken|CredentialsProviderError|TokenProviderError|UnrecognizedClient|InvalidClientTokenId|InvalidSignature/;
const GONE = /ResourceNotFound/;

/** @returns `undefined` for a bug of the program. */
export function readProblem(
  error: unknown,
  { isStack }: { isStack: boolean },
): Pick<Failure, 'code' | 'message' | 'params'> | undefined {
  if (!(error instanceof Error)) return undefined;
  const name = 'code' in error ? String(error.code) : error.name;
  if (!isStack) return failureOf(error);
  if (NOT_ALLOWED.test(name)) {
    const action = /not authorized to perform: (\w+:\w+)/.exec(error.message)?.[1] ?? 'to read the tables';
    return problem('not-allowed', { name, action });
  }
  if (NOT_SIGNED_IN.test(name)) return problem('not-signed-in', { name });
  if (GONE.test(name)) return problem('table-gone', { name });
  return '$metadata' in error ? problem('tables-silent', { name }) : failureOf(error);
}

function problem<Code extends ReadProblem>(code: Code, params: ParamsOf<(typeof READ_PROBLEMS)[Code]>) {
  return {
    code,
    params,
    message: sentenceOf(READ_PROBLEMS[code] as TextRow<TextParams>, params),
  };
}
