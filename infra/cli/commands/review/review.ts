import { type Command, Option } from 'commander';
import { rejectFinding } from '#shared/enrichment/review/reject.ts';
import { FINDING_KINDS, type FindingKind } from '#shared/review/schemas.ts';
import type { Cli } from '../../cli.ts';
import { type CommandOptions, type CommandRun, define } from '../../command-run.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { accept } from './accept.ts';
import { addClaims } from './claims.ts';
import { exportReview } from './export.ts';
import { notOpen, readId, undecided } from './findings.ts';

/** `review list|export|accept|reject|claims`: what a person should decide. */
export function addReview(program: Command, cli: Cli): void {
  const review = program.command('review').description('what the system found and a person should decide');
  const kind = () => new Option('--kind <kind>', 'only these').choices(FINDING_KINDS);
  const listing = {
    about: 'what is undecided, the gravest first; no values',
    csv: true,
    examples: ['review list --kind contradiction'],
  };
  define(cli, review.command('list').addOption(kind()), listing, list);
  const exporting = {
    about: 'what accepting would write now, value by value, as CSV',
    examples: ['review export --kind proposal > proposals.csv'],
  };
  define(cli, review.command('export').addOption(kind()), exporting, exportReview);
  const accepting = {
    about: 'take the stored answer, at no cost; what people have written since stays',
    yes: 'agree beforehand',
    examples: ['review accept --all --kind proposal'],
  };
  const acceptance = review.command('accept [id]').option('--all', 'everything of one kind');
  define(cli, acceptance.addOption(kind()), accepting, accept);
  const rejecting = {
    about: 'leave it as it is, for good; another answer may come up again',
    examples: ['review reject contacts/123/proposal'],
  };
  define(cli, review.command('reject <id>'), rejecting, reject);
  addClaims(review, cli);
}

async function list(
  run: CommandRun,
  { kind }: CommandOptions & { readonly kind?: FindingKind },
): Promise<Sheet> {
  const { services } = await run.connect();
  const lines = await Array.fromAsync(undecided(services.reviews, kind));
  const rows = lines.map(({ id, state, since, reason, properties }) => [
    ...[id, state, since, reason],
    properties.join(' '),
  ]);
  const columns = ['id', 'state', 'since', 'reason', 'properties'];
  return { json: lines, body: [{ columns, rows, empty: 'Nothing is up for review.' }] };
}

async function reject(run: CommandRun, _: CommandOptions, id: string): Promise<Sheet> {
  const { record, kind } = readId(id);
  const { services, clock } = await run.connect();
  const decided = await rejectFinding({ ...services, clock }, { record, kind });
  if (decided.kind === 'refused') throw notOpen(id, decided.state);
  return {
    json: { id, state: decided.finding.state },
    body: ['Rejected: it stays as it is, and the same is not put up again.'],
  };
}
