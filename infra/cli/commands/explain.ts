import { askerWords, isHubSpotFailure, type RecordName } from '#shared/crm';
import { arrivedOf, isStatus, nextCheckAtMs, reopensAfter, worstCaseOfRefresh } from '#shared/enrichment';
import { archivedPolicyKind, policyAt } from '#shared/extensions/policy-change';
import { createMark, createNormalise, isRefreshed, type Policy, STATUS_LABELS } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import { holdsOurValue } from '#shared/ownership';
import { questionKind } from '#shared/questions';
import {
  type Change,
  endOfWait,
  explanationText,
  historyOf,
  type JournalEntry,
  livingState,
  type RecordState,
  runName,
  runStatus,
  type StopWait,
  shownExplanation,
  totalCredits,
  unlistedCredits,
  waitEnd,
  waitingWords,
  waitNow,
  weightOf,
  withResult,
} from '#shared/records';
import { planRequest } from '#shared/requests';
import { decisionWords, type ReviewLine, reviewLine } from '#shared/review';
import { label, WITHOUT_RULE } from '#shared/spend';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError } from '../terminal/exit.ts';
import type { Lines, Sheet } from '../terminal/sheet.ts';
import { CUT_NOTE } from './asker.ts';
import { enrichmentServices } from './enrich.ts';
import { findRecord } from './find-record.ts';

export function addExplain(program: SheetCommand): void {
  program
    .command('explain <record> [property]')
    .description('show the events, lookups, prices and writes behind the values of a record')
    .example('contacts/123 jobtitle')
    .sheet(explain);
}

async function explain(
  run: CommandRun,
  _: CommandOptions,
  words: string,
  property: string | undefined,
): Promise<Sheet> {
  const connection = await run.connect();
  const name = await findRecord(connection, words);
  const state = await livingState(connection.services, name);
  if (state.runsOpened === 0 && state.mergedFrom === undefined && state.forgottenAtMs === undefined) {
    throw (await isInHubSpot(connection, name))
      ? await notLookedUp(connection, state)
      : new CliError('no-record', `HubSpot has no ${name.objectType}/${name.id}.`);
  }
  const all = await historyOf(connection.services, state);
  const entries = property === undefined ? all : all.map((entry) => withOnly(entry, property));
  const selected = entries.filter(
    ({ changes, dropped = [] }) => property === undefined || changes.length + dropped.length > 0,
  );
  if (property !== undefined && selected.length === 0 && all.length > 0)
    throw neverWritten(state, { property, all });
  const { known, now, hubSpotFailed } = await readPresentValues(connection, selected, state);
  const review = await connection.services.reviews.read(state);
  const findings = (review?.findings ?? []).map((finding) => reviewLine(state, finding));
  const rule = await ruleNow(connection, state);
  // The record was read under a policy without rules.
  const isWithoutRule = state.rule === undefined && state.outcome !== undefined && rule !== undefined;
  const { stopped } = await connection.services.questions.breakers.read();
  const nowMs = connection.clock.now();
  const reason = await reopensAfter(connection.services.extensions, state);
  const waiting = reason ? { reason, untilMs: nowMs } : waitNow(state, stopped !== undefined);
  const { answeredQuestion = '' } = state;
  const question = await connection.services.questions.items.read(questionKind.key(answeredQuestion));
  const explained = {
    policy: connection.policy,
    name,
    state,
    waiting,
    nowMs,
    entries: known,
    unlisted: property === undefined ? unlistedRuns(state, all) : undefined,
    findings,
    rule,
    ruleThen: isWithoutRule ? WITHOUT_RULE : state.rule,
    isRuleChanged: await isRuleChanged(connection, state),
    isCut: question?.value.answer?.isCut,
  };
  return {
    json: {
      ...summary(explained),
      review: findings,
      runs: known.map(({ reason, association, ...entry }: JournalEntry) => ({
        ...entry,
        status: statusOf(entry),
        ...shownExplanation(reason),
        association: association && shownExplanation(association),
      })),
      now: Object.fromEntries(now),
      hubSpotFailed,
    },
    body: bodyOf(explained, { now, hubSpotFailed }),
  };
}

/** Whether HubSpot has the record. If HubSpot does not answer, it is not known to be missing. */
async function isInHubSpot({ services }: Connection, { objectType, id }: RecordName): Promise<boolean> {
  try {
    return (await services.crm.read({ objectType, ids: [id], properties: [] })).records.has(id);
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    return true;
  }
}

async function notLookedUp(connection: Connection, state: RecordState): Promise<CliError> {
  const rules = ruleLines(connection.policy, state, {
    last: undefined,
    now: await ruleNow(connection, state),
  });
  return new CliError('no-run', ['This record has not been looked up.', ...rules].join(' '));
}

function unlistedRuns(state: RecordState, entries: readonly JournalEntry[]): Explained['unlisted'] {
  const listed = new Set(entries.filter(({ id }) => id === state.id).map(({ run }) => run));
  const runs = state.runsOpened - listed.size;
  const credits = unlistedCredits(state, entries);
  return runs > 0 || credits > 0 ? { runs, credits } : undefined;
}

/** Error for a property that we never wrote, or a wrong property name. */
function neverWritten(
  { objectType, id }: RecordState,
  { property, all }: { property: string; all: readonly JournalEntry[] },
): CliError {
  const written = new Set(all.flatMap(({ changes }) => changes.map((change) => change.property)));
  const known = written.size > 0 ? ` It has written: ${[...written].sort().join(', ')}.` : '';
  const message = `This installation has not written ${property} of ${objectType}/${id}.${known}`;
  return new CliError('no-property', message);
}

function withOnly(entry: JournalEntry, property: string): JournalEntry {
  const isIt = (each: { readonly property: string }) => each.property === property;
  return { ...entry, changes: entry.changes.filter(isIt), dropped: entry.dropped?.filter(isIt) };
}

interface Explained {
  readonly policy: Policy;
  /** The record that the operator named. It can have been merged into the record of `state` since. */
  readonly name: RecordName;
  readonly entries: readonly JournalEntry[];
  /** Runs that have no entry, and their credits; absent if there are none. */
  readonly unlisted: { readonly runs: number; readonly credits: number } | undefined;
  readonly state: RecordState;
  readonly waiting: RecordState['waiting'];
  readonly nowMs: number;
  readonly rule: string | undefined;
  /** The rule that applied when the record was last read. */
  readonly ruleThen: string | undefined;
  /** Whether the policy has another rule under this name than when the record's last run ended. */
  readonly isRuleChanged: boolean;
  /** Set if the store has only a part of the record's last answer. */
  readonly isCut: true | undefined;
  readonly findings: readonly ReviewLine[];
}

function summary({
  policy,
  name,
  state,
  waiting,
  nowMs,
  rule: now,
  ruleThen: rule,
  isRuleChanged,
  isCut,
  unlisted,
}: Explained) {
  const { objectType, id, outcome, run, runsOpened } = state;
  const { answeredAtMs, forgottenAtMs, mergedFrom, doubts } = state;
  const nextMs = nextCheckAtMs(policy, state);
  return {
    record: `${objectType}/${id}`,
    askedFor: name.id === id ? undefined : `${name.objectType}/${name.id}`,
    outcome: outcome && {
      ...outcome,
      ...shownExplanation(outcome.reason),
      status: outcome.status ?? outcome.kind,
      at: timeOf(outcome.atMs),
      stopWait: outcome.stopWait && waitedShown(outcome.stopWait, outcome.atMs),
    },
    waiting: waiting && {
      reason: waiting.reason,
      params: waiting.params,
      detail: waiting.detail ?? waitingWords(waiting.reason).why,
      /** The event that ends the wait. Absent if the wait ends at `until`. */
      endsWith: waitEnd({ run, waiting, nowMs }),
      since: run && timeOf(run.openedAtMs),
      until: waiting.untilMs >= nowMs ? timeOf(waiting.untilMs) : undefined,
      /** Set instead of `until` if the wait is over, and the record has not continued yet. */
      dueSince: waiting.untilMs < nowMs ? timeOf(waiting.untilMs) : undefined,
    },
    /** A run is in progress. The outcome is of the previous run. */
    isUnderWay: run && !waiting ? true : undefined,
    rule,
    isRuleChanged: isRuleChanged || undefined,
    ruleNow: now,
    runsOpened,
    creditsSpent: totalCredits(state),
    unlisted,
    /** Asker of the open run, or of the last one: a user, a workflow, a source. */
    askedBy: run ? run.askedBy : outcome?.askedBy,
    lastCheckAt: answeredAtMs === undefined ? undefined : timeOf(answeredAtMs),
    /** The next check. Absent if the record is not refreshed. */
    refresh:
      nextMs === undefined
        ? undefined
        : {
            dueAt: timeOf(nextMs),
            weight: weightOf(state),
            credits: worstCaseOfRefresh(state, policy),
          },
    /** Requests with an unknown outcome, and what each may have cost. */
    doubts: doubts?.map(({ questionKey, attempt }) => ({ questionKey, credits: attempt?.credits ?? 0 })),
    isCut,
    forgottenAt: forgottenAtMs === undefined ? undefined : timeOf(forgottenAtMs),
    mergedFrom,
  };
}

function waitedShown({ reason, detail, sinceMs, untilMs }: StopWait, endMs: number) {
  const why = detail ?? waitingWords(reason).why;
  return { reason, why, since: timeOf(sinceMs), until: timeOf(untilMs ?? endMs) };
}

function bodyOf(
  explained: Explained,
  { now, hubSpotFailed }: Pick<PresentValues, 'now' | 'hubSpotFailed'>,
): Lines {
  const { name, state, waiting, nowMs, entries, unlisted, findings } = explained;
  const {
    record,
    askedFor,
    outcome,
    isUnderWay,
    lastCheckAt,
    refresh,
    mergedFrom,
    forgottenAt,
    rule,
    askedBy,
    doubts = [],
  } = summary(explained);
  return [
    askedFor && `${askedFor} was merged into ${record}.`,
    outcome
      ? `${record}: ${STATUS_LABELS[outcome.status].toLowerCase()}. Last run, at ${outcome.at}: ${outcome.reason}`
      : `${record}: no outcome yet.`,
    outcome?.stopWait &&
      `It waited from ${outcome.stopWait.since} until ${outcome.stopWait.until}. ${outcome.stopWait.why}`,
    askedBy !== undefined && `Asked by: ${askerWords(askedBy)}.`,
    ...ruleLines(explained.policy, state, { last: rule, now: explained.rule }),
    explained.isRuleChanged && `The rule "${rule}" has changed since the last run of the record.`,
    `${counted(state.runsOpened, 'run')}, ${counted(totalCredits(state), 'credit')} in all.`,
    unlisted &&
      `Not listed below: ${counted(unlisted.runs, 'run')} without a write in the journal, ${counted(unlisted.credits, 'credit')}.`,
    ...doubts.map(
      ({ questionKey, credits }) =>
        `Its request ${questionKey} has an unknown outcome: at most ${counted(credits, 'credit')}.`,
    ),
    waiting &&
      `Waiting since ${timeOf(state.run?.openedAtMs ?? state.outcome?.atMs ?? nowMs)} until ${endOfWait({ run: state.run, waiting, nowMs }, timeOf)}. ${waiting.detail ?? waitingWords(waiting.reason).why}`,
    isUnderWay && 'A run is in progress.',
    lastCheckAt && `Last checked at ${lastCheckAt}.`,
    refresh &&
      `Next check due at ${refresh.dueAt}, with weight ${refresh.weight}, for at most ${counted(refresh.credits, 'credit')}.`,
    !isRefreshed(explained.policy, state) && `Not refreshed by the rule "${state.rule}".`,
    explained.isCut && CUT_NOTE,
    mergedFrom && `Merged into it: ${mergedFrom.map((id) => `${name.objectType}/${id}`).join(', ')}.`,
    ...findings.map(reviewWords),
    forgottenAt && `Its person was forgotten at ${forgottenAt}.`,
    ...entries.flatMap((entry) => [
      `\n${headOf(entry, state)}`,
      {
        columns: ['property', 'before', 'after', 'write', 'now'],
        rows: entry.changes.map((change) => rowOf(change, now)),
      },
      ...(entry.dropped ?? []).map(({ property, reason }) => `not sent: ${property}, ${reason}`),
    ]),
    hubSpotFailed &&
      `${waitingWords(hubSpotFailed).why} This comes from our own records; the present values in HubSpot are unknown.`,
    entries.length === 0 && '\nThe journal has no writes of this record.',
  ];
}

function headOf(entry: JournalEntry, state: RecordState): string {
  const { question, eventKeys, credits, association, askedBy } = entry;
  const what =
    entry.kind === 'undo' ? 'undo' : `${entry.purpose}, ${STATUS_LABELS[statusOf(entry)].toLowerCase()}`;
  return [
    `${runName(entry, state)}, ${timeOf(entry.atMs)}: ${what}, ${counted(credits, 'credit')}, policy ${entry.policyVersion}. ${explanationText(entry.reason)}`,
    question &&
      `  question ${label(question.operation)} ${question.key}, answered ${timeOf(question.askedAtMs)}`,
    askedBy !== undefined && `  asked by ${askerWords(askedBy)}`,
    association && `  ${explanationText(association)}`,
    ...eventKeys.map((key) => `  event ${key}`),
  ]
    .filter((line) => typeof line === 'string')
    .join('\n');
}

/** Status that HubSpot got from the run. An answer that needs review has the outcome "no match". */
function statusOf({ outcome: kind, changes }: Pick<JournalEntry, 'outcome' | 'changes'>) {
  const shown = changes.find(({ property }) => property === 'enrichment_status')?.after;
  return runStatus({ kind, status: shown === 'review' ? shown : undefined });
}

function rowOf(change: Change, now: ReadonlyMap<string, ValueOwner>): string[] {
  const { property, before, after, state } = change;
  return [
    property,
    shown(change, 'before', before ?? ''),
    shown(change, 'after', after),
    state,
    now.get(property) ?? '',
  ];
}

function shown({ cut }: Change, which: 'before' | 'after', value: string): string {
  if (value === '') return '(empty)';
  return cut?.includes(which) ? `${value}…` : value;
}

function reviewWords({ id, state, since, reason, decidedAt, decidedBy }: ReviewLine): string {
  const at = decidedBy === undefined ? '' : ` at ${decidedAt}`;
  return `Review ${id}, ${decisionWords(state, decidedBy)}${at}, since ${since}: ${reason}`;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

type ValueOwner = 'ours' | 'changed' | 'empty';

interface PresentValues {
  readonly known: readonly JournalEntry[];
  /** Owner by property. Empty if HubSpot does not answer. */
  readonly now: ReadonlyMap<string, ValueOwner>;
  /** Code of HubSpot's failure, if it did not answer. */
  readonly hubSpotFailed?: string | undefined;
}

/** Reads the current values from HubSpot. If HubSpot does not answer, the result has only our own records. */
async function readPresentValues(
  connection: Connection,
  entries: readonly JournalEntry[],
  state: RecordState,
): Promise<PresentValues> {
  try {
    return await readOwners(connection, entries, state);
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    return { known: entries, now: new Map(), hubSpotFailed: error.code };
  }
}

/** Determines the owners of the present values, and resolves writes with an unknown result. */
async function readOwners(
  { services }: Connection,
  entries: readonly JournalEntry[],
  state: RecordState,
): Promise<PresentValues> {
  const properties = [...new Set(entries.flatMap(({ changes }) => changes.map(({ property }) => property)))];
  const { objectType, id } = state;
  const record = (await services.crm.read({ objectType, ids: [id], properties })).records.get(id);
  const definitions = await services.crm.definitions(objectType);
  const normalise = createNormalise(definitions);
  const mark = createMark({ definitions, hash: services.digest.keyed });
  const ownerOf = (property: string): ValueOwner => {
    const value = record?.properties[property] ?? '';
    if (value === '') return 'empty';
    // Statuses always count as ours, because only we write them. They have no stored ownership.
    const isOurs = holdsOurValue(state.ownership, property, mark(property, value)) || isStatus(property);
    return isOurs ? 'ours' : 'changed';
  };
  const held = { properties: record?.properties ?? {}, normalise };
  return {
    known: entries.map((entry) => withResult(entry, { stored: record ? arrivedOf(entry, held) : {} })),
    now: new Map(properties.map((property) => [property, ownerOf(property)])),
  };
}

/**
 * Name of the rule that applies to the record's present values.
 * @returns `undefined` if the policy has no rules for the object type, or HubSpot does not return the record.
 */
async function ruleNow(connection: Connection, name: RecordName): Promise<string | undefined> {
  try {
    const planned = await planRequest(await enrichmentServices(connection), name);
    return 'read' in planned ? planned.read.admission.rule : undefined;
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    return undefined;
  }
}

/** Whether the rule that decided about the record's last run has been edited under its name since. */
async function isRuleChanged(
  { services, policy }: Connection,
  { objectType, rule, outcome }: RecordState,
): Promise<boolean> {
  const then =
    rule === undefined
      ? undefined
      : await policyAt({ policies: services.open(archivedPolicyKind) }, outcome?.atMs ?? 0);
  const ruleIn = ({ whom }: Policy) => whom[objectType]?.find(({ name }) => name === rule);
  const [before, now] = [then && ruleIn(then), ruleIn(policy)];
  return before !== undefined && now !== undefined && JSON.stringify(before) !== JSON.stringify(now);
}

/** The rule that applied when the record was last read and, if it differs, the rule that applies now. */
function ruleLines(
  { whom }: Policy,
  { objectType }: RecordName,
  { last, now }: Record<'last' | 'now', string | undefined>,
): readonly string[] {
  if (last === undefined && now !== undefined) return [`Rule: ${now}, by its present values.`];
  if (last === undefined) return whom[objectType] ? [] : ['Rule: none, because the policy has no rules.'];
  if (now === undefined || now === last) return [`Rule: ${last}.`];
  return [`Rule: ${last}, when the record was last read. By its present values, it is now: "${now}".`];
}
