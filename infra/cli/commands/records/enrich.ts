import type { RecordName } from '#shared/crm';
import { type EnrichmentStatus, STATUS_LABELS } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import { eventThatEnds, explanationText, shownExplanation, waitingWords } from '#shared/records';
import { label } from '#shared/spend';
import { requireProperties } from '../../../local/require-access.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { EXIT, type ExitCode, exitOfError } from '../../terminal/exit.ts';
import { type Sheet, tableOf } from '../../terminal/sheet.ts';
import { type WaitOptions, waitMsOf, withWait } from '../questions/ask-options.ts';
import { recordPriceLine } from '../questions/price-line.ts';
import { type Enriched, enrichNow } from './enrich-now.ts';
import { findRecord } from './find-record.ts';
import { planRecordRequest, type RecordPlan } from './record-plan.ts';

type EnrichOptions = CommandOptions & WaitOptions & { readonly dryRun?: boolean };

/** `enrich`: one record now, as if a person had requested it in HubSpot. */
export function addEnrich(program: SheetCommand): void {
  withWait(program.command('enrich <record>'))
    .description(
      'enrich one record now; give contacts/<id>, companies/<id>, its HubSpot URL, an email or a domain',
    )
    .option('--dry-run', 'show the lookup, its highest price and what may be written; spend nothing')
    .yes('agree to the price beforehand')
    .example('contacts/123 --dry-run')
    .sheet(enrich);
}

async function enrich(run: CommandRun, options: EnrichOptions, words: string): Promise<Sheet> {
  const connection = await run.connect();
  const plan = await planRecordRequest(connection, await findRecord(connection, words));
  if (options.dryRun) return planSheet(plan);
  await requireProperties(connection.services, connection);
  const { credits: maxCredits, record } = plan;
  const questions = plan.questions.filter(({ credits }) => credits > 0).map(({ question }) => question);
  if (maxCredits > 0) {
    const quote = { name: nameOf(record), questions, credits: maxCredits };
    await run.agree(await recordPriceLine(connection, quote));
  }
  const waiting = { signal: run.signal, waitMs: waitMsOf(options) };
  return enrichedSheet(record, await enrichNow(connection, record, { ...waiting, maxCredits }));
}

const EXITS: Readonly<Record<Enriched['outcome'], ExitCode>> = {
  enriched: EXIT.ok,
  unchanged: EXIT.ok,
  unmatched: EXIT.notFound,
  review: EXIT.notFound,
  skipped: EXIT.notFound,
  failed: EXIT.failed,
  waiting: EXIT.refused,
};

function nameOf({ objectType, id }: RecordName): string {
  return `${objectType}/${id}`;
}

function planSheet(plan: RecordPlan): Sheet {
  const { record, rule, questions, skip, credits, warning, writes, verdict, waitsUntilMs } = plan;
  const until = waitsUntilMs === undefined ? undefined : new Date(waitsUntilMs).toISOString();
  const name = nameOf(record);
  const asked = questions.map(({ question: { operation, options }, credits: price }) => ({
    ...{ operation, options, credits: price },
  }));
  const json = {
    record: name,
    rule,
    questions: asked,
    skip: skip ?? null,
    waitsUntil: until ?? null,
    credits,
    warns: warning?.code,
    verdict: verdict ? { ...verdict, ...shownExplanation(verdict.reason) } : null,
    writes,
  };
  const ruled = [
    ...(rule === undefined ? [] : [`Rule: ${rule}.`]),
    ...(until === undefined
      ? []
      : [
          `By the rule "${rule}", the record waits until ${until} for values from free sources. A request, such as this command, does not wait.`,
        ]),
  ];
  if (skip) return { json, body: [`${name}: no lookup would be made (${skip}).`, ...ruled] };
  const steps = questions.map(({ question, credits: price }) => {
    const cost = price === 0 ? 'free, the answer is stored' : `at most ${counted(price, 'credit')}`;
    return `${[label(question.operation), ...question.options].join(' with ')}, ${cost}`;
  });
  const rows = writes.map(({ property, now, rule, mayBeWritten, proposed, kept = '' }) => [
    ...[property, now, rule],
    mayBeWritten ? writeWords(proposed) : (NOT_WRITTEN[kept] ?? `kept: ${kept}`),
  ]);
  const soFar = credits > 0 ? 'So far' : 'Result';
  return {
    json,
    body: [
      `${name}: ${steps.join('; after no match ')}.`,
      ...ruled,
      '',
      ...(verdict ? [`${soFar}: ${shownStatus(verdict.outcome)}. ${explanationText(verdict.reason)}\n`] : []),
      { columns: ['property', 'now', 'rule', 'what'], rows },
      ...(warning ? [`\n${explanationText(warning)}`] : []),
      `\nAt most ${counted(credits, 'credit')}. Nothing was looked up, spent or written.`,
    ],
  };
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
  same: 'already the same',
};

function shownStatus(status: EnrichmentStatus): string {
  return STATUS_LABELS[status].toLowerCase();
}

function enrichedSheet(record: RecordName, enriched: Enriched): Sheet {
  const { outcome, code, params, notes, reason, detail, credits, untilMs, end, endsWith, changes } = enriched;
  const name = nameOf(record);
  const until = untilMs === undefined ? undefined : new Date(untilMs).toISOString();
  const when = until === undefined ? '' : ` until ${end ?? eventThatEnds(reason) ?? until}`;
  const why = until === undefined ? reason : (detail ?? waitingWords(reason).why);
  return {
    json: { record: name, outcome, code, params, notes, reason, detail, credits, endsWith, until, changes },
    body: [
      tableOf(['property', 'before', 'after'], changes),
      ...(changes.length > 0 ? [''] : []),
      `${name}: ${shownStatus(outcome)}${when}, ${counted(credits, 'credit')}. ${why}`,
    ],
    // A forgotten person has the same code in every command.
    exit: outcome === 'skipped' ? (exitOfError(code) ?? EXITS.skipped) : EXITS[outcome],
  };
}
