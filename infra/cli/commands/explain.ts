import type { Command } from 'commander';
import { createNormalise, type Normalise } from '../../../shared/field-policy/normal-form.ts';
import { rememberedText } from '../../../shared/field-policy/remember.ts';
import { recordKey } from '../../../shared/records/crm-record.ts';
import type { Change, JournalEntry } from '../../../shared/records/journal-entry.ts';
import type { RecordState } from '../../../shared/records/record-state.ts';
import { counted } from '../../../shared/spend/figures.ts';
import { label } from '../../../shared/spend/labels.ts';
import type { Cli } from '../cli.ts';
import type { Connection } from '../connection.ts';
import { example } from '../example.ts';
import { CliError, EXIT } from '../exit.ts';
import { findRecord, type RecordName } from '../find-record.ts';
import { type OutputOptions, printJson, printSheet, withJson } from '../output.ts';

/** `explain`: why a record, or one of its properties, is as it is. */
export function addExplain(program: Command, cli: Cli): void {
  withJson(program.command('explain <record> [property]'))
    .description('which event, policy, question, answer, price and write led to the values of a record')
    .addHelpText('after', example('explain contacts/123 jobtitle'))
    .action((words: string, property: string | undefined, options: OutputOptions) =>
      explain(cli, { words, property }, options),
    );
}

interface Asked {
  readonly words: string;
  readonly property: string | undefined;
}

async function explain(cli: Cli, { words, property }: Asked, options: OutputOptions): Promise<void> {
  await cli.connected(async (connection) => {
    const name = await findRecord(connection, words);
    const { records, journal } = connection.parts;
    const state = (await records.read(recordKey(name)))?.value;
    if (!state) {
      const message = 'Nothing is known of this record: it was never looked at.';
      throw new CliError(message, { exit: EXIT.notFound, code: 'no-record' });
    }
    const all = await journal.ofRecord(name, state.runsOpened);
    const entries = property === undefined ? all : all.map((entry) => only(entry, property));
    const told = entries.filter(({ changes }) => property === undefined || changes.length > 0);
    const now = await whatIsThere(connection, { name, entries: told, state });
    if (options.json)
      printJson(cli.io, { ...summary(name, state), runs: told, now: Object.fromEntries(now) });
    else print(cli, { name, state, entries: told, now });
  });
}

function only(entry: JournalEntry, property: string): JournalEntry {
  return { ...entry, changes: entry.changes.filter((change) => change.property === property) };
}

interface Explained {
  readonly name: RecordName;
  readonly entries: readonly JournalEntry[];
  readonly state: RecordState;
}

/** Whose the value is that a property holds now. */
type Whose = 'ours' | "somebody else's" | 'empty';

async function whatIsThere({ parts }: Connection, { name, entries, state }: Explained) {
  const properties = [...new Set(entries.flatMap(({ changes }) => changes.map(({ property }) => property)))];
  const { objectType, id } = name;
  const record = (await parts.crm.read({ objectType, ids: [id], properties })).records.get(id);
  const normalise = createNormalise(await parts.crm.definitions(objectType));
  const whose = (property: string): Whose => {
    const value = record?.properties[property] ?? '';
    if (value === '') return 'empty';
    return isOurs({ property, value, state, normalise }, parts) ? 'ours' : "somebody else's";
  };
  return new Map(properties.map((property) => [property, whose(property)]));
}

function isOurs(
  found: { property: string; value: string; state: RecordState; normalise: Normalise },
  { digest }: Pick<Connection['parts'], 'digest'>,
): boolean {
  const { property, value, state, normalise } = found;
  const hash = digest.keyed(rememberedText(property, normalise(property, value)));
  // Statuses are not remembered: nobody but us writes them.
  return state.remembered[property] === hash || property.startsWith('enrichment_');
}

function summary({ objectType, id }: RecordName, state: RecordState) {
  const { outcome, waiting, runsOpened, creditsSpent, staleAtMs, forgottenAtMs, mergedInto } = state;
  return {
    record: `${objectType}/${id}`,
    outcome: outcome && { ...outcome, at: timeOf(outcome.atMs) },
    waiting: waiting && { reason: waiting.reason, until: timeOf(waiting.untilMs) },
    runsOpened,
    creditsSpent,
    staleFrom: staleAtMs === undefined ? undefined : timeOf(staleAtMs),
    forgottenAt: forgottenAtMs === undefined ? undefined : timeOf(forgottenAtMs),
    mergedInto,
  };
}

function print({ io }: Cli, { name, state, entries, now }: Explained & { now: ReadonlyMap<string, Whose> }) {
  const { record, outcome, waiting, staleFrom, mergedInto, forgottenAt } = summary(name, state);
  const lines = [
    outcome ? `${record}: ${outcome.kind} at ${outcome.at}. ${outcome.reason}` : `${record}: no outcome yet.`,
    `${counted(state.runsOpened, 'run')}, ${counted(state.creditsSpent, 'credit')} in all.`,
    ...(waiting ? [`Waits until ${waiting.until}: ${waiting.reason}.`] : []),
    ...(staleFrom ? [`Stale from ${staleFrom}.`] : []),
    ...(mergedInto ? [`Merged into ${name.objectType}/${mergedInto}.`] : []),
    ...(forgottenAt ? [`Its person was forgotten at ${forgottenAt}.`] : []),
  ];
  io.out(`${lines.join('\n')}\n`);
  for (const entry of entries) {
    io.out(`\n${headOf(entry)}\n`);
    const rows = entry.changes.map((change) => rowOf(change, now));
    printSheet(io, { columns: ['property', 'before', 'after', 'write', 'now'], rows }, {});
  }
  if (entries.length === 0) io.out('\nNothing was written that is still in the journal.\n');
}

function headOf(entry: JournalEntry): string {
  const { question, eventKeys, credits } = entry;
  const what = entry.kind === 'undo' ? 'undo' : `${entry.purpose}, ${entry.outcome}`;
  return [
    `run ${entry.run}, ${timeOf(entry.atMs)}: ${what}, ${counted(credits, 'credit')}, policy ${entry.policyVersion}. ${entry.reason}`,
    ...(question
      ? [`  question ${label(question.operation)} ${question.key}, answered ${timeOf(question.askedAtMs)}`]
      : []),
    ...eventKeys.map((key) => `  event ${key}`),
  ].join('\n');
}

function rowOf({ property, before, after, state }: Change, now: ReadonlyMap<string, Whose>): string[] {
  return [property, before ?? '(empty)', after === '' ? '(empty)' : after, state, now.get(property) ?? ''];
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
