import type { Command } from 'commander';
import { counted, endOfWait, label, waitingWords } from '#shared/spend';
import { requireProperties } from '../../../local/require-access.ts';
import type { Cli } from '../../cli.ts';
import { consent } from '../../terminal/consent.ts';
import { example } from '../../terminal/example.ts';
import { EXIT, type ExitCode } from '../../terminal/exit.ts';
import { printJson, printSheet, withJson } from '../../terminal/output.ts';
import { type AskOptions, waitMsOf, withWait } from '../questions/ask-options.ts';
import { recordPriceLine } from '../questions/price-line.ts';
import type { PlanVerdict } from './considered-writes.ts';
import { type Enriched, enrichNow } from './enrich-now.ts';
import { findRecord, type RecordName } from './find-record.ts';
import { planRecord, type RecordPlan } from './record-plan.ts';

type EnrichOptions = Pick<AskOptions, 'json' | 'yes' | 'wait'> & { readonly dryRun?: boolean };

/** `enrich`: one record now, as if somebody had asked for it in HubSpot. */
export function addEnrich(program: Command, cli: Cli): void {
  const command = program
    .command('enrich <record>')
    .description('enrich one record now: contacts/<id>, companies/<id>, its address, an email or a domain');
  withWait(withJson(command))
    .option('--dry-run', 'show question, highest price and what may be written; spend nothing')
    .option('-y, --yes', 'agree to the price beforehand')
    .addHelpText('after', example('enrich contacts/123 --dry-run'))
    .action((words: string, options: EnrichOptions) => enrich(cli, words, options));
}

async function enrich(cli: Cli, words: string, options: EnrichOptions): Promise<void> {
  const { io } = cli;
  await cli.connected(async (connection) => {
    const name = await findRecord(connection, words);
    const plan = await planRecord(connection, name);
    if (options.dryRun) return printPlan(cli, plan, options);
    await requireProperties(connection.services, connection);
    const { credits, record } = plan;
    const questions = plan.questions.filter((each) => each.credits > 0).map(({ question }) => question);
    if (credits > 0) {
      const question = await recordPriceLine(connection, { name: nameOf(record), questions, credits });
      await consent(io, { question, yes: options.yes ?? false });
    }
    const enriched = await enrichNow(connection, record, {
      io,
      waitMs: waitMsOf(options),
      maxCredits: credits,
    });
    cli.end(EXITS[enriched.outcome]);
    printEnriched(cli, { name: record, enriched }, options);
  });
}

const EXITS: Readonly<Record<Enriched['outcome'], ExitCode>> = {
  enriched: EXIT.ok,
  unchanged: EXIT.ok,
  unmatched: EXIT.notFound,
  skipped: EXIT.failed,
  failed: EXIT.failed,
  waiting: EXIT.refused,
};

function nameOf({ objectType, id }: RecordName): string {
  return `${objectType}/${id}`;
}

function printPlan({ io }: Cli, plan: RecordPlan, { json }: EnrichOptions): void {
  const { record, questions, skip, credits, writes, verdict = null } = plan;
  if (json) {
    const asked = questions.map(({ question: { operation, options }, credits: price }) => ({
      operation,
      options,
      credits: price,
    }));
    const name = nameOf(record);
    printJson(io, { record: name, questions: asked, skip: skip ?? null, credits, verdict, writes });
    return;
  }
  if (skip) {
    io.out(`${nameOf(record)}: nothing would be asked (${skip}).\n`);
    return;
  }
  const steps = questions.map(({ question, credits: price }) => {
    const cost = price === 0 ? 'free, the answer is stored' : `at most ${counted(price, 'credit')}`;
    return `${[label(question.operation), ...question.options].join(' with ')}, ${cost}`;
  });
  io.out(`${nameOf(record)}: ${steps.join('; after no match ')}.\n\n`);
  if (verdict)
    io.out(`${credits > 0 ? 'So far' : 'Result'}: ${VERDICTS[verdict.outcome]}. ${verdict.reason}\n\n`);
  const rows = writes.map(({ property, now, rule, mayBeWritten, proposed, kept = '' }) => [
    property,
    now ?? '',
    rule,
    mayBeWritten ? writeWords(proposed) : (NOT_WRITTEN[kept] ?? `kept: ${kept}`),
  ]);
  printSheet(io, { columns: ['property', 'now', 'rule', 'what'], rows }, {});
  io.out(`\nAt most ${counted(credits, 'credit')}. Nothing was asked, spent or written.\n`);
}

function writeWords(proposed: string | undefined): string {
  if (proposed === undefined) return 'may be written';
  return proposed === '' ? 'would be emptied' : `would be written: ${proposed}`;
}

const NOT_WRITTEN: Readonly<Record<string, string>> = {
  'no-value': 'no value in the stored answer',
  'in-review': 'not written: needs review',
  'does-not-fit': 'not written: the value fits no option',
  shadow: 'proposed only: the policy is in shadow mode',
  same: 'the same already',
};

const VERDICTS: Readonly<Record<PlanVerdict['outcome'], string>> = {
  review: 'needs review, and nothing is written',
  enriched: 'enriched',
  unchanged: 'unchanged',
  unmatched: 'no match',
  skipped: 'skipped',
  failed: 'failed',
};

function printEnriched(
  { io }: Cli,
  { name, enriched }: { name: RecordName; enriched: Enriched },
  { json }: EnrichOptions,
): void {
  const { outcome, reason, detail, credits, untilMs, changes } = enriched;
  const until = untilMs === undefined ? undefined : new Date(untilMs).toISOString();
  if (json) {
    printJson(io, { record: nameOf(name), outcome, reason, detail, credits, until, changes });
    return;
  }
  const rows = changes.map(({ property, before, after }) => [property, before ?? '', after ?? '']);
  printSheet(io, { columns: ['property', 'before', 'after'], rows }, {});
  if (rows.length > 0) io.out('\n');
  const when = until === undefined ? '' : ` until ${endOfWait(reason) ?? until}`;
  const why = until === undefined ? reason : (detail ?? waitingWords(reason).why);
  io.out(`${nameOf(name)}: ${outcome}${when}, ${counted(credits, 'credit')}. ${why}\n`);
}
