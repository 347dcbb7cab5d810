import { Option } from 'commander';
import { rejectFinding } from '#shared/enrichment';
import { FINDING_KINDS, type FindingKind } from '#shared/review';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { enrichmentServices } from '../records/record-plan.ts';
import { accept } from './accept.ts';
import { addClaims } from './claims.ts';
import { exportReview } from './export.ts';
import { notOpen, readId, undecided } from './findings.ts';

/** `review list|export|accept|reject|claims`: items that need a person's decision. */
export function addReview(program: SheetCommand): void {
  const review = program.command('review').description('items that need a human decision');
  const kind = () => new Option('--kind <kind>', 'only these').choices(FINDING_KINDS);
  review
    .command('list')
    .description('list open items, most serious first; no values')
    .addOption(kind())
    .csv()
    .example('--kind contradiction')
    .sheet(list);
  review
    .command('export')
    .description('show what accepting would write now, value by value, as CSV')
    .addOption(kind())
    .example('--kind proposal > proposals.csv')
    .sheet(exportReview);
  review
    .command('accept [id]')
    .description('write the stored answer, for 0 credits; later changes by people stay')
    .option('--all', 'all items of one kind')
    .addOption(kind())
    .yes('agree beforehand')
    .example('--all --kind proposal')
    .sheet(accept);
  review
    .command('reject <id>')
    .description('keep the record as it is; the same answer is not offered again')
    .example('contacts/123/proposal')
    .sheet(reject);
  addClaims(review);
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
  return { json: lines, body: [{ columns, rows, empty: 'Nothing needs review.' }] };
}

async function reject(run: CommandRun, _: CommandOptions, id: string): Promise<Sheet> {
  const name = readId(id);
  const decided = await rejectFinding(await enrichmentServices(await run.connect()), name);
  if (decided.kind === 'refused') throw notOpen(id, decided.state);
  const isBusy = decided.statusReset === 'busy';
  const again = 'A worker is updating the record. Reject it again in some minutes to update its status.';
  return {
    json: { id, state: decided.finding.state, ...(isBusy && { statusPending: true }) },
    body: [
      'Rejected: the record stays as it is, and the same finding does not return.',
      ...(isBusy ? [again] : []),
    ],
  };
}
