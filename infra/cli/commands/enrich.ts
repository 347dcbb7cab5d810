import type { RecordName } from '#shared/crm';
import {
  type ClaimedRecord,
  type EnrichmentServices,
  STATUS_PROPERTIES,
  type WritePlan,
} from '#shared/enrichment';
import { createMark, createNormalise, type EnrichmentStatus, STATUS_LABELS } from '#shared/field-policy';
import { command, counted, unreachable, wording } from '#shared/kernel';
import { decideWrites, type Explanation } from '#shared/ownership';
import {
  because,
  eventThatEnds,
  explanationText,
  newRecordState,
  type OutcomeKind,
  type RecordState,
  recordKind,
  runStatus,
  type Standing,
  shownExplanation,
  standingOfEvent,
  standingWords,
  waitingWords,
} from '#shared/records';
import {
  eventKeyOfRequest,
  isAsked,
  type PlannedQuestion,
  type PlannedRequest,
  planRequest,
  planStoredAnswer,
} from '#shared/requests';
import { label } from '#shared/spend';
import { encodeMessage, type WorkMessage } from '#shared/work-queue';
import { createHandler } from '../../../functions/enrich-records/handler.ts';
import { appIdOf, requireProperties } from '../../local/require-access.ts';
import { WORKER_TIMEOUT_MS } from '../../local/system.ts';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT, type ExitCode, exitOfError } from '../terminal/exit.ts';
import { type Sheet, tableOf, timeOf } from '../terminal/sheet.ts';
import { budgetLeft, questionWords, type WaitOptions, waitMsOf, withWait } from './asker.ts';
import { findRecord } from './find-record.ts';

type EnrichOptions = CommandOptions & WaitOptions & { readonly dryRun?: boolean };

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
  const services = await enrichmentServices(connection);
  const name = await findRecord(connection, words);
  const plan = await planRequest(services, name);
  if (plan.kind !== 'planned') throw refusal(name, plan);
  if (options.dryRun) return planSheet(plan, await considerWrites(services, plan));
  await requireProperties(connection.services, connection);
  // After a merge, HubSpot returns another record for the name.
  const { credits: maxCredits, read } = plan;
  const { record } = read;
  const questions = plan.questions.filter(({ credits }) => credits > 0).map(({ question }) => question);
  if (maxCredits > 0) {
    const asked = questions.map(questionWords).join(', then ');
    const most = `at most ${counted(maxCredits, 'credit')}`;
    await run.agree(`${nameOf(record)}: ${asked}: ${most}, ${await budgetLeft(connection, 'manual')}`);
  }
  const waiting = { signal: run.signal, waitMs: waitMsOf(options) };
  return enrichNow(connection, record, { ...waiting, maxCredits });
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

type Plan = Extract<PlannedRequest, { kind: 'planned' }>;

const IN_DOUBT = wording`An earlier request has an unknown outcome, so nothing is looked up. See: ${command('doubts list')}`;

function planSheet(planned: Plan, { writes, verdict, doubt }: Considered): Sheet {
  const { plan, questions, credits, read, warning, waitsUntilMs } = planned;
  const { record, admission } = read;
  const { rule } = admission;
  const skip = plan.kind === 'skip' ? plan.reason : undefined;
  // The end of the wait for free sources that applies without a person's request.
  const until = timeOf(waitsUntilMs);
  const name = nameOf(record);
  const asked = questions.map(({ question: { operation, options }, credits: price }) => ({
    operation,
    options,
    credits: price,
  }));
  const json = {
    record: name,
    rule,
    questions: asked,
    skip: skip ?? null,
    waitsUntil: until ?? null,
    credits,
    warns: warning?.code,
    doubt,
    verdict: verdict ? { ...verdict, ...shownExplanation(verdict.reason) } : null,
    writes,
  };
  const ruled = [
    rule !== undefined && `Rule: ${rule}.`,
    until !== undefined &&
      `By the rule "${rule}", the record waits until ${until} for values from free sources. A request, such as this command, does not wait.`,
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
      verdict && `${soFar}: ${shownStatus(verdict.outcome)}. ${explanationText(verdict.reason)}\n`,
      { columns: ['property', 'now', 'rule', 'what'], rows },
      warning && `\n${explanationText(warning)}`,
      doubt !== undefined && wording`\n${IN_DOUBT}`,
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
  'not-asked': 'not written: the lookup does not ask for it',
};

function shownStatus(status: EnrichmentStatus): string {
  return STATUS_LABELS[status].toLowerCase();
}

function enrichedSheet(
  record: RecordName,
  { outcome, untilMs, end, ...run }: Enriched,
  changes: readonly { property: string; before: string | null; after: string | null }[],
): Sheet {
  const { code, reason, detail, credits } = run;
  const name = nameOf(record);
  const until = timeOf(untilMs);
  const when = until === undefined ? '' : ` until ${end ?? eventThatEnds(reason) ?? until}`;
  const why = until === undefined ? reason : (detail ?? waitingWords(reason).why);
  const isInDoubt = code === 'charge-unknown';
  // A forgotten person has the same code in every command.
  const exit = outcome === 'skipped' ? (exitOfError(code) ?? EXITS.skipped) : EXITS[outcome];
  return {
    json: { record: name, outcome, ...run, until, changes },
    body: [
      tableOf(['property', 'before', 'after'], changes),
      changes.length > 0 && '',
      `${name}: ${shownStatus(outcome)}${when}, ${counted(credits, 'credit')}. ${why}`,
      isInDoubt && IN_DOUBT,
    ],
    exit: isInDoubt ? EXIT.refused : exit,
  };
}

export async function enrichmentServices(connection: Connection): Promise<EnrichmentServices> {
  const { services, policy, installedAtMs, clock, newId, logger } = connection;
  const ownAppId = appIdOf(await connection.ownApp());
  return { ...services, policy, installedAtMs, ownAppId, clock, newId, logger };
}

/** Error for a record that cannot be enriched. */
function refusal(record: RecordName, planned: Exclude<PlannedRequest, { kind: 'planned' }>): CliError {
  const name = nameOf(record);
  switch (planned.kind) {
    case 'forgotten':
      return new CliError('forgotten', `The person of ${name} asked to be forgotten.`);
    case 'merged': {
      const into = nameOf({ ...record, id: planned.into });
      return new CliError('merged', `${name} was merged into ${into}; use that record.`);
    }
    case 'unreadable':
      return new CliError('unreadable', `HubSpot did not return ${name}. Try again.`);
    case 'barred':
      return new CliError('not-admitted', `${name}: ${explanationText(planned.reason)}`);
    case 'missing':
      return new CliError('no-record', `HubSpot has no ${name}.`);
    default:
      return unreachable(planned);
  }
}

/** A property's value, and whether the run would write it. */
interface ConsideredWrite {
  readonly property: string;
  readonly now: string | null;
  readonly rule: string;
  readonly mayBeWritten: boolean;
  /** Value of the stored answer. Absent if there is no stored answer yet. */
  readonly proposed?: string | undefined;
  /** Why the value is not written: `person-wrote`, `same`, `in-review`, `no-value` in the stored answer, ... */
  readonly kept?: string | undefined;
}

interface Considered {
  readonly writes: readonly ConsideredWrite[];
  /** Outcome of the run, based on stored answers. */
  readonly verdict?: { readonly outcome: OutcomeKind | 'review'; readonly reason: Explanation } | undefined;
  /** Key of the next question, if its earlier request is in doubt. Then a run buys nothing. */
  readonly doubt?: string | undefined;
}

/**
 * Decides like a run, from stored answers only, with the questions in the same order. After the first question
 * without a stored answer, only the rules and the present values are known.
 */
async function considerWrites(
  services: EnrichmentServices,
  { plan, read, questions }: Plan,
): Promise<Considered> {
  if (plan.kind !== 'ask') return { writes: [] };
  const stored = await planStoredAnswer(services, { read, questions });
  if (stored.kind === 'planned') return decided(services, read, stored.plan);
  const verdict = stored.rejected && { outcome: 'review' as const, reason: stored.rejected };
  if (stored.kind === 'paid') {
    const doubt = await openDoubt(services, questions);
    return { writes: await byRules(services, read, questions), verdict, doubt };
  }
  const none = { outcome: 'unmatched', reason: because('stored-no-match') } as const;
  const kept = verdict ? 'in-review' : 'no-value';
  return { writes: rowsOf(services, read, () => ({ kept })), verdict: verdict ?? none };
}

async function openDoubt(
  services: EnrichmentServices,
  questions: readonly PlannedQuestion[],
): Promise<string | undefined> {
  const next = questions.find(({ credits }) => credits > 0);
  const obstacle = next && (await services.gateway.obstacle({ question: next.question, purpose: 'manual' }));
  return obstacle?.kind === 'doubt' ? obstacle.questionKey : undefined;
}

function decided(services: EnrichmentServices, read: ClaimedRecord, planned: WritePlan): Considered {
  const { draft, filled, writes, kept, proposed, outcome, reason, isMixed } = planned;
  const isInReview = draft.status === 'review' || isMixed === true;
  const reasons = new Map<string, string>([
    ...draft.dropped.map(({ property }) => [property, 'does-not-fit'] as const),
    ...kept.map((each) => [each.property, each.reason] as const),
    ...proposed.map((property) => [property, 'shadow'] as const),
  ]);
  const rows = rowsOf(services, read, (property) =>
    filled.includes(property)
      ? { proposed: writes[property] ?? '', mayBeWritten: true }
      : { kept: reasons.get(property) ?? (isInReview ? 'in-review' : 'no-value') },
  );
  return { writes: rows, verdict: { outcome: isInReview ? 'review' : outcome, reason } };
}

/** One row for each property of the policy. */
function rowsOf(
  { policy }: EnrichmentServices,
  { record }: ClaimedRecord,
  decide: (property: string) => Partial<ConsideredWrite>,
): ConsideredWrite[] {
  const rules = new Map(policy.fields[record.objectType].map((rule) => [rule.property, rule]));
  return [...rules.values()].map(({ property, write: rule }) => {
    const now = record.properties[property] ?? null;
    return { property, now, rule, mayBeWritten: false, ...decide(property) };
  });
}

/** Stands for an unknown answer. It differs from every real value, so the rule decides as for any new value. */
const ANOTHER_VALUE = 'a value that differs from the present one';

async function byRules(
  services: EnrichmentServices,
  read: ClaimedRecord,
  questions: readonly PlannedQuestion[],
): Promise<ConsideredWrite[]> {
  const { state, record } = read;
  const definitions = await services.crm.definitions(record.objectType);
  const asked = services.policy.fields[record.objectType].filter(({ from }) => isAsked(questions, from));
  const rules = new Map(asked.map((rule) => [rule.property, rule]));
  const { writes, kept } = decideWrites({
    proposed: [...rules.values()].map((rule) => ({ property: rule.property, value: ANOTHER_VALUE, rule })),
    current: record.properties,
    ownership: state.ownership,
    verdicts: state.verdicts,
    request: { by: 'person' },
    mark: createMark({ definitions, hash: services.digest.keyed }),
    normalise: createNormalise(definitions),
  });
  const reasons = new Map<string, string>(kept.map(({ property, reason }) => [property, reason]));
  return rowsOf(services, read, (property) => ({
    mayBeWritten: Object.hasOwn(writes, property),
    kept: rules.has(property) ? reasons.get(property) : 'not-asked',
  }));
}

/** Outcome of a record's run, or the cause of its wait. */
interface Enriched extends Partial<Pick<Explanation, 'params' | 'notes'>> {
  readonly outcome: EnrichmentStatus;
  /** The code of the reason, or of the wait. */
  readonly code: string;
  readonly reason: string;
  /** Why the run waits, as a sentence. Absent if the run has ended. */
  readonly detail?: string | undefined;
  readonly credits: number;
  /** The latest time at which a waiting run continues, epoch milliseconds. */
  readonly untilMs?: number;
  /** Event that ends the wait, as the text after "until". Absent if the wait ends at a time. */
  readonly end?: string | undefined;
  readonly endsWith?: Extract<Standing, { kind: 'waiting' }>['endsWith'];
}

interface Wish {
  readonly signal: AbortSignal | undefined;
  readonly waitMs: number;
  /** The price that the person saw. The run costs at most this, even if the record has changed since. */
  readonly maxCredits: number;
}

const POLL_MS = 200;

/** The request's own run had nothing left to write. */
const BY_EARLIER_RUN = {
  outcome: 'enriched',
  code: 'earlier-run',
  reason: 'An earlier run of the record wrote the values.',
} as const;

/**
 * Enriches one record at a person's request. Uses the queue if workers run. Otherwise the same handler runs in this
 * process.
 * @throws CliError if the run has not ended in time. The run continues.
 */
async function enrichNow(connection: Connection, name: RecordName, wish: Wish): Promise<Sheet> {
  const eventKey = eventKeyOfRequest(connection.newId());
  const asked = { asked: { maxCredits: wish.maxCredits }, askedBy: 'operator' };
  const message: WorkMessage = { ...name, purpose: 'manual', eventKeys: [eventKey], ...asked };
  const before = await readShownValues(connection, name);
  const { enriched } = (await stateOf(connection, name)).outcomes;
  if (connection.hasWorkers) await sendToWorkers(connection, { ...wish, message, eventKey });
  else {
    await runHere(connection, message);
    // An earlier run of the record goes first.
    if (await isUnderWay(connection, message, eventKey)) await runHere(connection, message);
  }
  const state = await stateOf(connection, name);
  const after = await readShownValues(connection, name);
  const changes = Object.entries(before)
    .map(([property, value]) => ({ property, before: value, after: after[property] ?? null }))
    .filter((each) => each.before !== each.after);
  const ended = outcomeOf(state, eventKey, connection.clock.now());
  const isWrittenBefore = ended.outcome === 'unchanged' && state.outcomes.enriched > enriched;
  return enrichedSheet(
    name,
    isWrittenBefore ? { ...BY_EARLIER_RUN, credits: ended.credits } : ended,
    changes,
  );
}

/**
 * Reads the target values and statuses. The CRM port's read leaves out the statuses, but a person wants to see them.
 */
async function readShownValues({ services, policy }: Connection, { objectType, id }: RecordName) {
  const targets = policy.fields[objectType].map(({ property }) => property);
  const properties = [...new Set([...targets, ...STATUS_PROPERTIES])];
  const { records } = await services.crm.read({ objectType, ids: [id], properties });
  const known = records.get(id)?.properties ?? {};
  return Object.fromEntries(properties.map((property) => [property, known[property] ?? null]));
}

async function runHere(connection: Connection, message: WorkMessage): Promise<void> {
  const handle = createHandler({ ...(await enrichmentServices(connection)), ...connection.services });
  const { clock } = connection;
  const endsAt = clock.monotonic() + WORKER_TIMEOUT_MS;
  const { batchItemFailures } = await handle(
    { Records: [{ messageId: connection.newId(), body: encodeMessage(message) }] },
    { getRemainingTimeInMillis: () => endsAt - clock.monotonic() },
  );
  if (batchItemFailures.length === 0) return;
  const where = `See record-failed in ${connection.path}/log.jsonl for the cause.`;
  throw new CliError('record-failed', `The enrichment of this record failed. ${where}`);
}

/** Sends the request, and waits until its run has ended or waits. */
async function sendToWorkers(
  connection: Connection,
  { message, eventKey, signal, waitMs }: Wish & { message: WorkMessage; eventKey: string },
): Promise<void> {
  const { clock, queues } = connection;
  await queues.urgent.queue.send([message]);
  const endsAt = clock.monotonic() + waitMs;
  while (clock.monotonic() < endsAt) {
    signal?.throwIfAborted();
    if (!(await isUnderWay(connection, message, eventKey))) return;
    await clock.sleep(POLL_MS);
  }
  const text = 'The workers have not finished the record yet. It stays queued and continues.';
  throw new CliError('under-way', text);
}

async function stateOf({ services }: Connection, name: RecordName): Promise<RecordState> {
  const stored = await services.records.read(recordKind.key(name));
  return stored?.value ?? newRecordState(name.objectType, name.id);
}

async function isUnderWay(connection: Connection, name: RecordName, eventKey: string): Promise<boolean> {
  const state = await stateOf(connection, name);
  return standingOfWish(state, eventKey, connection.clock.now()).kind === 'under-way';
}

function standingOfWish(state: RecordState, eventKey: string, nowMs: number): Standing {
  return standingOfEvent(state, { eventKey, recordId: state.id, nowMs });
}

function outcomeOf(state: RecordState, eventKey: string, nowMs: number): Enriched {
  const standing = standingOfWish(state, eventKey, nowMs);
  switch (standing.kind) {
    case 'ended': {
      const { outcome } = standing;
      const reason = standingWords(standing).why;
      return { outcome: runStatus(outcome), ...outcome.reason, reason, credits: outcome.credits };
    }
    case 'waiting': {
      const { reason, params, detail, untilMs, endsWith, until, afterMs, credits } = standing;
      const after = afterMs === undefined ? '' : `, after ${timeOf(afterMs)}`;
      const end = until === undefined ? undefined : `${until}${after}`;
      const wait = { code: reason, reason, params, detail, untilMs, end, endsWith };
      return { outcome: 'waiting', ...wait, credits };
    }
    case 'under-way': {
      // Without workers, the record was only queued: the next sweep starts it.
      const { reason = 'queued', untilMs = nowMs } = state.waiting ?? {};
      return { outcome: 'waiting', code: reason, reason, untilMs, credits: 0 };
    }
    default:
      return { outcome: 'skipped', code: standing.kind, reason: standingWords(standing).why, credits: 0 };
  }
}
