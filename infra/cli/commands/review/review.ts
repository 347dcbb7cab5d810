import { Command, Option } from 'commander';
import { type ReviewLine, reviewLines } from '#shared/review/lines.ts';
import type { Reviews } from '#shared/review/reviews.ts';
import { FINDING_KINDS, type FindingKind } from '#shared/review/schemas.ts';
import type { Decided } from '#shared/review/transitions.ts';
import type { Cli } from '../../cli.ts';
import { example } from '../../terminal/example.ts';
import { CliError, EXIT, usageError } from '../../terminal/exit.ts';
import { type OutputOptions, printJson, printSheet, withCsv, withJson } from '../../terminal/output.ts';
import { type RecordName, readName } from '../records/find-record.ts';

interface Listing extends OutputOptions {
  readonly kind?: FindingKind;
}

/** `review list|reject`: what a person should decide. */
export function reviewCommand(cli: Cli): Command {
  const review = new Command('review').description('what the system found and a person should decide');
  withCsv(review.command('list').description('what is undecided, the gravest first; no values'))
    .addOption(kindOption())
    .addHelpText('after', example('review list --kind contradiction'))
    .action((options: Listing) => list(cli, options));
  withJson(
    review
      .command('reject <id>')
      .description('leave it as it is, for good; another answer may come up again'),
  )
    .addHelpText('after', example('review reject contacts/123/proposal'))
    .action((id: string, options: OutputOptions) => reject(cli, id, options));
  return review;
}

function kindOption(): Option {
  return new Option('--kind <kind>', 'only these').choices(FINDING_KINDS);
}

async function list(cli: Cli, options: Listing): Promise<void> {
  await cli.connected(async ({ services }) => {
    const lines = await Array.fromAsync(undecided(services.reviews, options.kind));
    if (options.json) return printJson(cli.io, lines);
    if (lines.length === 0 && !options.csv) return cli.io.out('Nothing is up for review.\n');
    const rows = lines.map((line) => [
      ...[line.id, line.state, line.since, line.reason],
      line.properties.join(' '),
    ]);
    printSheet(cli.io, { columns: ['id', 'state', 'since', 'reason', 'properties'], rows }, options);
  });
}

/** Every finding that nobody has decided, page by page. */
export async function* undecided(
  reviews: Pick<Reviews, 'page'>,
  kind: FindingKind | undefined,
): AsyncGenerator<ReviewLine> {
  let after: string | undefined;
  do {
    const page = await reviews.page({ kind, after });
    yield* reviewLines(page.values, kind);
    after = page.next;
  } while (after !== undefined);
}

async function reject(cli: Cli, id: string, options: OutputOptions): Promise<void> {
  const { record, kind } = readId(id);
  await cli.connected(async ({ services }) => {
    const decided = await services.reviews.decide(record, kind, 'rejected');
    if (decided.kind === 'refused') throw notOpen(id, decided.state);
    if (options.json) printJson(cli.io, { id, state: decided.finding.state });
    else cli.io.out('Rejected: it stays as it is, and the same is not put up again.\n');
  });
}

/** `contacts/123/proposal` in its parts. @throws CliError where it is none. */
function readId(id: string): { readonly record: RecordName; readonly kind: FindingKind } {
  const at = id.lastIndexOf('/');
  const kind = FINDING_KINDS.find((each) => each === id.slice(at + 1));
  const record = kind && readName(id.slice(0, at));
  if (kind && record && 'id' in record) return { record, kind };
  throw usageError(`"${id}" is no id of a review: it looks like contacts/123/${FINDING_KINDS[0]}.`);
}

function notOpen(id: string, state: Extract<Decided, { kind: 'refused' }>['state']): CliError {
  const message =
    state === 'none'
      ? `Nothing is up for review under ${id}; see review list.`
      : `${id} is ${state} already.`;
  return new CliError(message, { exit: EXIT.notFound, code: 'not-open' });
}
