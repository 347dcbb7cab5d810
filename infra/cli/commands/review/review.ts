import { Command, Option } from 'commander';
import { rejectFinding } from '#shared/enrichment';
import { FINDING_KINDS, type FindingKind } from '#shared/review';
import type { Cli } from '../../cli.ts';
import { example } from '../../terminal/example.ts';
import { type OutputOptions, printJson, printSheet, withCsv, withJson } from '../../terminal/output.ts';
import { type Accepting, accept } from './accept.ts';
import { addClaims } from './claims.ts';
import { exportReview } from './export.ts';
import { notOpen, readId, undecided } from './findings.ts';

interface Listing extends OutputOptions {
  readonly kind?: FindingKind;
}

/** `review list|export|accept|reject|claims`: what a person should decide. */
export function reviewCommand(cli: Cli): Command {
  const review = new Command('review').description('what the system found and a person should decide');
  withCsv(review.command('list').description('what is undecided, the gravest first; no values'))
    .addOption(kindOption())
    .addHelpText('after', example('review list --kind contradiction'))
    .action((options: Listing) => list(cli, options));
  withJson(review.command('export').description('what accepting would write now, value by value, as CSV'))
    .addOption(kindOption())
    .addHelpText('after', example('review export --kind proposal > proposals.csv'))
    .action((options: Listing) => exportReview(cli, options));
  withJson(
    review
      .command('accept [id]')
      .description('take the stored answer, at no cost; what people have written since stays'),
  )
    .option('--all', 'everything of one kind')
    .addOption(kindOption())
    .option('-y, --yes', 'agree beforehand')
    .addHelpText('after', example('review accept --all --kind proposal'))
    .action((id: string | undefined, options: Accepting) => accept(cli, id, options));
  withJson(
    review
      .command('reject <id>')
      .description('leave it as it is, for good; another answer may come up again'),
  )
    .addHelpText('after', example('review reject contacts/123/proposal'))
    .action((id: string, options: OutputOptions) => reject(cli, id, options));
  addClaims(review, cli);
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

async function reject(cli: Cli, id: string, options: OutputOptions): Promise<void> {
  const { record, kind } = readId(id);
  await cli.connected(async ({ services, clock }) => {
    const decided = await rejectFinding({ ...services, clock }, { record, kind });
    if (decided.kind === 'refused') throw notOpen(id, decided.state);
    if (options.json) printJson(cli.io, { id, state: decided.finding.state });
    else cli.io.out('Rejected: it stays as it is, and the same is not put up again.\n');
  });
}
