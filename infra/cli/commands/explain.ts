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
import { type Lines, type Sheet, timeOf } from '../terminal/sheet.ts';
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
  const selected = property === undefined ? all : all.flatMap((entry) => withOnly(entry, property) ?? []);
  if (property !== undefined && selected.length === 0 && all.length > 0)
    throw neverWritten(state, { property, all });
  const told = await tell(connection, { name, state, entries: selected });
  const unlisted = property === undefined ? unlistedRuns(state, all) : undefined;
  const { entries, now, hubSpotFailed, findings, summary } = told;
  return {
    json: {
      ...summary,
      unlisted,
      review: findings,
      runs: entries.map(({ reason, association, ...entry }: JournalEntry) => ({
        ...entry,
        status: statusOf(entry),
        ...shownExplanation(reason),
        association: association && shownExplanation(association),
      })),
      now: Object.fromEntries(now),
      hubSpotFailed,
    },
    body: bodyOf(told, unlisted),
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
    now: await ruleOfPresent(connection, state),
  });
  return new CliError('no-run', ['This record has not been looked up.', ...rules].join(' '));
}

/** Runs that have no entry, and their credits; `undefined` if there are none. */
function unlistedRuns(state: RecordState, entries: readonly JournalEntry[]) {
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

/** The entry with only its changes of one property; `undefined` without one. */
function withOnly(entry: JournalEntry, name: string): JournalEntry | undefined {
  const changes = entry.changes.filter(({ property }) => property === name);
  const dropped = entry.dropped?.filter(({ property }) => property === name);
  return changes.length + (dropped?.length ?? 0) > 0 ? { ...entry, changes, dropped } : undefined;
}

type Told = Awaited<ReturnType<typeof tell>>;

/** @param name the record that the operator named. It can have been merged into the record of `state` since. */
async function tell(
  connection: Connection,
  { name, state, entries }: { name: RecordName; state: RecordState; entries: readonly JournalEntry[] },
) {
  const { services, policy, clock } = connection;
  const present = await readPresentValues(connection, entries, state);
  const review = await services.reviews.read(state);
  const findings = (review?.findings ?? []).map((finding) => reviewLine(state, finding));
  const ruleNow = await ruleOfPresent(connection, state);
  // The record was read under a policy without rules.
  const isWithoutRule = state.rule === undefined && state.outcome !== undefined && ruleNow !== undefined;
  const nowMs = clock.now();
  const { stopped } = await services.questions.breakers.read();
  const reopens = await reopensAfter(services.extensions, state);
  const waiting = reopens ? { reason: reopens, untilMs: nowMs } : waitNow(state, stopped !== undefined);
  const { answeredQuestion = '', objectType, id, outcome, run, runsOpened } = state;
  const { answeredAtMs, forgottenAtMs, mergedFrom, doubts } = state;
  const question = await services.questions.items.read(questionKind.key(answeredQuestion));
  const nextMs = nextCheckAtMs(policy, state);
  const summary = {
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
    /** The rule that applied when the record was last read. */
    rule: isWithoutRule ? WITHOUT_RULE : state.rule,
    isRuleChanged: (await isRuleChanged(connection, state)) || undefined,
    ruleNow,
    runsOpened,
    creditsSpent: totalCredits(state),
    /** Asker of the open run, or of the last one: a user, a workflow, a source. */
    askedBy: run ? run.askedBy : outcome?.askedBy,
    lastCheckAt: timeOf(answeredAtMs),
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
    /** Set if the store has only a part of the record's last answer. */
    isCut: question?.value.answer?.isCut,
    forgottenAt: timeOf(forgottenAtMs),
    mergedFrom,
  };
  return { ...present, policy, state, waiting, nowMs, findings, summary };
}

function waitedShown({ reason, detail, sinceMs, untilMs }: StopWait, endMs: number) {
  const why = detail ?? waitingWords(reason).why;
  return { reason, why, since: timeOf(sinceMs), until: timeOf(untilMs ?? endMs) };
}

function bodyOf(told: Told, unlisted: ReturnType<typeof unlistedRuns>): Lines {
  const { policy, state, waiting, nowMs, entries, findings, now, hubSpotFailed, summary } = told;
  const { record, askedFor, outcome, isUnderWay, lastCheckAt, refresh } = summary;
  const { mergedFrom, forgottenAt, rule, ruleNow, isRuleChanged, askedBy, isCut, doubts = [] } = summary;
  return [
    askedFor && `${askedFor} was merged into ${record}.`,
    outcome
      ? `${record}: ${STATUS_LABELS[outcome.status].toLowerCase()}. Last run, at ${outcome.at}: ${outcome.reason}`
      : `${record}: no outcome yet.`,
    outcome?.stopWait &&
      `It waited from ${outcome.stopWait.since} until ${outcome.stopWait.until}. ${outcome.stopWait.why}`,
    askedBy !== undefined && `Asked by: ${askerWords(askedBy)}.`,
    ...ruleLines(policy, state, { last: rule, now: ruleNow }),
    isRuleChanged && `The rule "${rule}" has changed since the last run of the record.`,
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
    !isRefreshed(policy, state) && `Not refreshed by the rule "${state.rule}".`,
    isCut && CUT_NOTE,
    mergedFrom && `Merged into it: ${mergedFrom.map((id) => `${state.objectType}/${id}`).join(', ')}.`,
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

type ValueOwner = 'ours' | 'changed' | 'empty';

/**
 * Determines the owners of the present values in HubSpot, and resolves writes with an unknown result. If HubSpot does
 * not answer, the result has only our own records and the code of the failure.
 */
async function readPresentValues(
  { services }: Connection,
  entries: readonly JournalEntry[],
  { objectType, id, ownership }: RecordState,
) {
  const properties = [...new Set(entries.flatMap(({ changes }) => changes.map(({ property }) => property)))];
  try {
    const record = (await services.crm.read({ objectType, ids: [id], properties })).records.get(id);
    const definitions = await services.crm.definitions(objectType);
    const normalise = createNormalise(definitions);
    const mark = createMark({ definitions, hash: services.digest.keyed });
    const ownerOf = (property: string): ValueOwner => {
      const value = record?.properties[property] ?? '';
      if (value === '') return 'empty';
      // Statuses always count as ours, because only we write them. They have no stored ownership.
      const isOurs = holdsOurValue(ownership, property, mark(property, value)) || isStatus(property);
      return isOurs ? 'ours' : 'changed';
    };
    const held = { properties: record?.properties ?? {}, normalise };
    return {
      entries: entries.map((entry) => withResult(entry, { stored: record ? arrivedOf(entry, held) : {} })),
      now: new Map(properties.map((property) => [property, ownerOf(property)])),
      hubSpotFailed: undefined,
    };
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    return { entries, now: new Map<string, ValueOwner>(), hubSpotFailed: error.code };
  }
}

/**
 * Name of the rule that applies to the record's present values.
 * @returns `undefined` if the policy has no rules for the object type, or HubSpot does not return the record.
 */
async function ruleOfPresent(connection: Connection, name: RecordName): Promise<string | undefined> {
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
