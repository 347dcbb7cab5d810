import { budgetParts, refusalSentence } from '#shared/credit-ledger';
import {
  askerWords,
  OBJECT_TYPES,
  type ObjectType,
  type PropertyDefinitions,
  type Purpose,
  recordKey,
} from '#shared/crm';
import { dearestCredits, worstCaseOfRefresh } from '#shared/enrichment';
import {
  admissionsOf,
  type ComparisonName,
  comparisonIn,
  type Policy,
  propertyOf,
  type WhomCondition,
} from '#shared/field-policy';
import { commandText, counted, dayAfter, HOUR_MS, MINUTE_MS, percent, shortDay } from '#shared/kernel';
import type { BreakerState, StoredDoubt } from '#shared/questions';
import {
  type DayStop,
  eventThatEnds,
  type NamedDay,
  waitingWords,
  type YieldCount,
  yieldsOf,
} from '#shared/records';
import { ASKER_GRACE_MS, HELD_BACK, MAX_ADMITTED, type WrongMatch } from '#shared/requests';
import { findingWords, isUndecided, type ReviewPage } from '#shared/review';
import {
  type BackfillSummary,
  budgetLabel,
  type Charge,
  label,
  limitWords,
  type OpenBackfill,
  type SpendReport,
  type Stop,
  stopName,
  stopsOf,
} from '#shared/spend';
import type { HomeView } from './schemas.ts';

export interface RuleInput {
  readonly policy: Policy;
  /** Properties of HubSpot; absent while HubSpot does not answer. */
  readonly definitions: Readonly<Partial<Record<ObjectType, PropertyDefinitions>>>;
  /** The last 30 days. */
  readonly days: readonly NamedDay[];
  /** Credits and match rates of these days. */
  readonly report: Pick<SpendReport, 'yields' | 'total' | 'withoutRule'>;
}

/** Builds the rules of the policy in their order, each with its figures of 30 days, and the properties that it may write. */
function rulesOf({ policy, definitions, days, report }: RuleInput): HomeView['policy'] {
  const yields = yieldsOf(days);
  const isOnlyUnruled = OBJECT_TYPES.filter((objectType) => !policy.whom[objectType]).length === 1;
  const rules = OBJECT_TYPES.flatMap((objectType) =>
    admissionsOf(policy, objectType).map((admission, index) => {
      const { rule, countedAs, enrich, onRequest, waitMinutes } = admission;
      const rows = yields.filter((row) =>
        countedAs === undefined ? row.objectType === objectType : row.rule === countedAs,
      );
      const spent =
        countedAs === undefined
          ? report.withoutRule[objectType]
          : report.yields.rule.find(({ name }) => name === countedAs);
      const when = policy.whom[objectType]?.[index]?.when ?? [];
      return {
        objectType,
        ...(rule !== undefined && { rule }),
        conditions: when.map((condition) => conditionWords(condition, definitions[objectType])),
        decision: decisionWords({
          enrich,
          onRequest,
          waitMinutes,
          credits: worstCaseOfRefresh({ objectType, rule }, policy),
        }),
        isBought: enrich,
        ...((rule !== undefined || isOnlyUnruled) && { figures: figuresOf(rows, spent) }),
      };
    }),
  );
  const fields = OBJECT_TYPES.flatMap((objectType) =>
    policy.fields[objectType]
      .filter(({ write }) => write !== 'never')
      .map(({ property, write }) => ({
        objectType,
        label: definitions[objectType]?.get(property)?.label ?? property,
        write,
      })),
  );
  return { version: policy.version, all: figuresOf(yields, report.total), rules, fields };
}

function figuresOf(
  rows: readonly YieldCount[],
  { credits, matchRate }: Pick<SpendReport['total'], 'credits' | 'matchRate'> = { credits: 0 },
): HomeView['policy']['all'] {
  return {
    records: rows.reduce((sum, { runs }) => sum + runs, 0),
    filledFields: rows.reduce((sum, { fields }) => sum + fields, 0),
    ...(matchRate !== undefined && { matchRate }),
    credits,
  };
}

function decisionWords(by: {
  readonly enrich: boolean;
  readonly onRequest: boolean;
  readonly waitMinutes: number;
  readonly credits: number;
}): string {
  if (!by.enrich) return by.onRequest ? 'Only if a person asks' : 'Not looked up';
  const most = `at most ${counted(by.credits, 'credit')}`;
  return by.waitMinutes > 0 ? `Waits ${counted(by.waitMinutes, 'minute')}, ${most}` : `Looked up, ${most}`;
}

const ADDRESS_WORDS = {
  business: 'Business email',
  'free-mail': 'Email of a free provider',
  role: 'Email of an office, such as info@',
  none: 'No valid email',
} as const;

/** `Lifecycle stage is customer`. */
function conditionWords(condition: WhomCondition, definitions: PropertyDefinitions | undefined): string {
  if ('email' in condition) return ADDRESS_WORDS[condition.email];
  const { property, isOfCompany } = propertyOf(condition);
  const definition = isOfCompany ? undefined : definitions?.get(property);
  const subject = `${definition?.label ?? property}${isOfCompany ? ' of the company' : ''}`;
  const { name, wanted } = comparisonIn(condition);
  const shown = [wanted].flat().map((each) => {
    const option = definition?.options.find(({ value }) => value === each);
    return option?.label ?? String(each);
  });
  const blank = condition.orBlank ? ', or empty' : '';
  return `${subject} ${COMPARISON_WORDS[name](shown.join(' or '), Number(wanted))}${blank}`;
}

const COMPARISON_WORDS: Readonly<Record<ComparisonName, (wanted: string, count: number) => string>> = {
  is: (wanted) => `is ${wanted}`,
  in: (wanted) => `is ${wanted}`,
  not: (wanted) => `is not ${wanted}`,
  above: (wanted) => `is above ${wanted}`,
  below: (wanted) => `is below ${wanted}`,
  before: (_, days) => `is at least ${counted(days, 'day')} ago`,
  blank: () => 'is empty',
  filled: () => 'is not empty',
  domain: (wanted) => `is at ${wanted}`,
};

export interface HomeInput extends RuleInput {
  readonly report: SpendReport;
  readonly reviews: ReviewPage;
  /** Oldest first. */
  readonly doubts: readonly StoredDoubt[];
  /** Backfills that have not ended, newest first, with the highest price of the next step. */
  readonly backfills: readonly OpenBackfill[];
  /** Privacy notices that were due by today and not sent. */
  readonly notices: NonNullable<HomeView['notices']>;
  /** Newest first. */
  readonly charges: readonly Charge[];
  /** Waits of the leads that the days name, with the end that only the record knows. */
  readonly waits: LeadWaits;
  /** Newest first. */
  readonly claims: readonly WrongMatch[];
  /** The stack that the commands in the texts name; absent on one machine. */
  readonly stack?: string | undefined;
}

/** How long a lead waited for a stop that a sweep saw during this time. */
export type LeadWaits = (lead: NonNullable<DayStop['waited']>[number]) => number;

type Need = HomeView['needs'][number];
type StopNeed = Extract<Need, { readonly kind: 'stop' }>;

export const MAX_REVIEW_ITEMS = 20;
export const MAX_ACTIVITY = 50;
/** Maximum number of listed items. More than one at a time is rare. */
const MAX_BACKFILLS = 5;
const MAX_DOUBTS = 10;
const MAX_PAST_STOPS = 10;
const MAX_SHOWN_LEADS = 25;
/** HubSpot returns the names of at most 100 records of one type at once. */
export const MAX_CLAIMS = 25;

/** Builds the home page's content. It contains no value of a record, because HubSpot itself shows names. */
export function homeView(input: HomeInput): HomeView {
  const { report, reviews, charges } = input;
  const { generatedAtMs: atMs, timeZone, stops } = report;
  const items = reviewItems(reviews);
  return {
    atMs,
    timeZone,
    needs: [
      ...stops.map(stopNeed),
      ...pastStopNeeds(input),
      ...doubtNeeds(input),
      ...backfillNeeds(input),
      ...noticeNeeds(input),
    ],
    review: {
      items: items.slice(0, MAX_REVIEW_ITEMS),
      isMore: items.length > MAX_REVIEW_ITEMS || reviews.next !== undefined,
      toDo: `To see all, run: ${commandText('review list', input.stack)}`,
    },
    spend: spendOf(input),
    waiting: waitingOf(input),
    backfills: backfillsOf(input),
    policy: rulesOf(input),
    notices: input.notices,
    activity: charges.slice(0, MAX_ACTIVITY).map(activityOf),
    claims: input.claims.map(({ askedAtMs, operation, credits, requestId, ...name }) => ({
      record: recordKey(name),
      atMs: askedAtMs,
      operation,
      credits,
      ...(requestId !== undefined && { requestId }),
    })),
  };
}

function reviewItems({ values }: ReviewPage): HomeView['review']['items'] {
  return values.flatMap(({ objectType, id, findings }) =>
    findings.filter(isUndecided).map(({ kind, reason, answer, foundAtMs: sinceMs }) => ({
      objectType,
      id,
      kind,
      ...findingWords(reason),
      sinceMs,
      hasAnswer: answer !== undefined,
    })),
  );
}

function stopNeed(stop: Stop): Need {
  const { kind, what, whatToDo, sinceMs } = stop;
  const toDo = DONE_HERE[kind] ?? whatToDo;
  const since = sinceMs !== undefined && { sinceMs };
  return { kind: 'stop', code: kind, what, toDo, ...otherwiseOf(stop), ...since };
}

/** Returns the page with the stop by a person that is in force now. A stop or a resume may be newer than the page. */
export function withStopInForce(view: HomeView, { stopped }: Pick<BreakerState, 'stopped'>): HomeView {
  const others = view.needs.filter((need) => need.kind !== 'stop' || need.code !== 'stopped-by-person');
  const facts = { breakers: { ...(stopped && { stopped }), doubtsInRow: 0 }, refusals: [] };
  const now = stopsOf({ facts, waiting: undefined, nowMs: view.atMs });
  return { ...view, needs: [...now.map(stopNeed), ...others] };
}

/** Builds a row for each day and kind of an ended stop because of which leads waited, until a person has seen it. */
function pastStopNeeds({ report, days, waits }: HomeInput): Need[] {
  const now = new Set<string>(report.stops.map(({ kind }) => kind));
  const rows = days.flatMap(({ day, stops }) => {
    const suffered = stops.filter(({ kind, leads, seen }) => leads !== undefined && !seen && !now.has(kind));
    return [...Map.groupBy(suffered, ({ kind }) => kind)].map(([code, same]) => ({ day, code, same }));
  });
  return rows.slice(-MAX_PAST_STOPS).map(({ day, code, same }): Need => {
    const [sinceMs, toMs] = [
      Math.min(...same.map(({ fromMs }) => fromMs)),
      Math.max(...same.map((stop) => stop.toMs)),
    ];
    const waited = new Map<string, number>();
    for (const lead of same.flatMap((stop) => stop.waited ?? []))
      waited.set(lead.record, Math.max(waited.get(lead.record) ?? 0, waits(lead)));
    const leads = Math.max(waited.size, ...same.map((stop) => stop.leads ?? 0));
    const longest = timeWords(Math.max(...(waited.size > 0 ? waited.values() : [toMs - sinceMs])));
    const time = leads === 1 ? longest : `up to ${longest}`;
    const what = `${counted(leads, 'lead')} waited ${time} on ${shortDay(day)}. ${stopName(code)}.`;
    const enoughCredits = Math.max(...same.map((stop) => stop.enoughCredits ?? 0));
    return {
      kind: 'past-stop',
      code,
      day,
      what,
      otherwise: '',
      sinceMs,
      toMs,
      leads,
      waited: [...waited].slice(0, MAX_SHOWN_LEADS).map(([record, ms]) => ({ record, ms })),
      ...(enoughCredits > 0 && { enoughCredits }),
    };
  });
}

function timeWords(ms: number): string {
  return ms < HOUR_MS
    ? counted(Math.max(1, Math.round(ms / MINUTE_MS)), 'minute')
    : counted(Math.round(ms / HOUR_MS), 'hour');
}

/** Advice about stops that a button of this page ends. It names no command. */
const DONE_HERE: Partial<Readonly<Record<Stop['kind'], string>>> = {
  'stopped-by-person': 'Stored answers are still used. Resume spending when the reason is gone.',
  'too-many-doubts':
    'Check whether the data service works. Then decide the requests in doubt; each is listed here once its answer is overdue.',
  'reserved-for-leads': 'Wait, or start some of the records under "Waiting".',
};

function otherwiseOf({
  kind,
  untilMs,
  untilResumed,
}: Stop): Pick<StopNeed, 'ends' | 'untilMs' | 'otherwise'> {
  if (kind === 'ledger-broken') return { otherwise: 'The figures on this page may be wrong.' };
  const wait = 'Records that need a purchase wait until';
  if (untilResumed)
    return { ends: 'when-resumed', otherwise: `${wait} ${eventThatEnds('stopped-by-person')}.` };
  return untilMs === undefined
    ? { ends: 'when-resolved', otherwise: `${wait} it is resolved.` }
    : { ends: 'by-itself', untilMs, otherwise: 'It ends or is retried by itself; records wait until then.' };
}

/** Builds rows for the oldest doubts, and one row that counts the others. Before its time, a doubt has no buttons. */
function doubtNeeds({ report, doubts, stack, policy }: HomeInput): Need[] {
  const { doubtsChargedAfterHours: hours } = policy;
  const otherwise =
    hours === undefined
      ? 'It counts against the budget until a person decides.'
      : `It counts as charged ${counted(hours, 'hour')} after the request.`;
  const needs = doubts.slice(0, MAX_DOUBTS).map((doubt): Need => {
    const { questionKey, reservationId, credits, operation, record, sentAtMs, deadlineAtMs } = doubt;
    const fromMs = deadlineAtMs + ASKER_GRACE_MS;
    return {
      kind: 'doubt',
      what: `No answer to a ${label(operation).toLowerCase()}, ${counted(credits, 'credit')}.`,
      ...(record !== undefined && { record }),
      otherwise,
      credits,
      ...(fromMs > report.generatedAtMs ? { fromMs } : { doubt: { questionKey, reservationId } }),
      toDo: "Was it charged? Compare with the data service's usage list. Booking never looks up again.",
      sinceMs: sentAtMs,
    };
  });
  const others = doubts.slice(MAX_DOUBTS);
  if (others.length === 0) return needs;
  const credits = others.reduce((sum, doubt) => sum + doubt.credits, 0);
  const more = `${counted(others.length, 'more request')} with an unknown outcome: ${counted(credits, 'credit')} in doubt.`;
  const toDo = `To see and decide them, run: ${commandText('doubts list', stack)}`;
  return [...needs, { kind: 'doubt', what: more, credits, otherwise, toDo }];
}

function backfillNeeds({ backfills }: HomeInput): Need[] {
  const undecided = backfills.filter(({ state }) => state === 'quoted' || state === 'approval');
  return undecided.slice(0, MAX_BACKFILLS).map(({ maxCredits, days, examples, ...summary }): Need => {
    const { id, state, objectType, scope, records, ended, trial, createdAtMs, quote, expected } = summary;
    const name = `Backfill of ${objectType} (${scope})`;
    const rest = {
      kind: 'backfill',
      backfillId: id,
      maxCredits,
      ...(expected !== undefined && { expectedCredits: expected }),
      ...(quote && { atMostCredits: quote.atMost }),
      ...(trial && { trial: { damage: trial.damage, matchRate: trial.matchRate } }),
      examples: examples.map((each) => recordKey({ objectType, id: each })),
      ...(days !== undefined && { days }),
    } as const;
    if (state === 'quoted') {
      const what = `${name}: ${counted(records, 'record')}, not started.`;
      const otherwise = 'Nothing is bought for it.';
      return { ...rest, what, otherwise, moves: ['start', 'stop'], sinceMs: createdAtMs };
    }
    const found =
      trial?.matchRate === undefined ? 'looked up nothing' : `matched ${percent(trial.matchRate)}`;
    const what = `${name}: its trial ${found}, ${counted(records - ended, 'record')} left.`;
    const otherwise = `Nothing more is bought for it. After an approval: ${limitWords(summary.limits ?? {})}`;
    return { ...rest, what, otherwise, moves: ['approve', 'stop'] };
  });
}

/** Started backfills that have not ended. A paused one can be resumed, any other can be paused. */
function backfillsOf({ backfills }: Pick<HomeInput, 'backfills'>): HomeView['backfills'] {
  return backfills
    .filter(({ state }) => MOVES_IN[state] !== undefined)
    .slice(0, MAX_BACKFILLS)
    .map(({ id: backfillId, objectType, scope, state, records, ended, spent, maxCredits, ...more }) => {
      const { matchRate, quote, pause, holding, days, startedBy, startedAtMs } = more;
      const reason = (pause ?? holding)?.reason;
      return {
        backfillId,
        objectType,
        scope,
        state,
        records,
        ended,
        maxCredits,
        spentCredits: spent,
        moves: [...(MOVES_IN[state] ?? [])],
        ...(matchRate !== undefined && { matchRate }),
        ...(quote && { atMostCredits: quote.atMost }),
        ...(reason !== undefined && { reason }),
        ...(days !== undefined && { days }),
        ...(startedBy !== undefined && { startedBy: askerWords(startedBy), startedAtMs }),
      };
    });
}

type Move = HomeView['backfills'][number]['moves'][number];

const MOVES_IN: Readonly<Partial<Record<BackfillSummary['state'], readonly Move[]>>> = {
  trial: ['pause', 'stop'],
  running: ['pause', 'stop'],
  paused: ['resume', 'stop'],
};

function noticeNeeds({ notices: { due }, stack }: HomeInput): Need[] {
  if (due === 0) return [];
  const verb = due === 1 ? 'was' : 'were';
  return [
    {
      kind: 'notice',
      due,
      what: `${counted(due, 'privacy notice')} ${verb} due by today and not sent.`,
      otherwise: 'An alarm rings once a notice is a week late.',
      toDo: `Send them, and fill enrichment_notice_sent_at. To list them, run: ${commandText('privacy notices', stack)}`,
    },
  ];
}

function waitingOf({ report, policy, backfills }: HomeInput): HomeView['waiting'] {
  const dearest = dearestCredits(policy);
  const { waiting, generatedAtMs: atMs } = report;
  // Records that a person has started, or the sweep has admitted, use the credits that are left first.
  const admitted = (waiting?.timed ?? []).filter(({ reason }) => reason === 'admitted');
  const aheadCredits = admitted.reduce((sum, { records }) => sum + records * dearest, 0);
  return [
    ...(waiting?.inTurn ?? []).map((line) => {
      const { purpose, records: ofPurpose, refusal, days, oldestMs: sinceMs } = line;
      const reason = line.reason ?? (refusal ? 'budget' : 'queued');
      const until = eventThatEnds(reason);
      const wait = {
        reason,
        purpose,
        records: ofPurpose,
        sinceMs,
        why: refusal ? refusalSentence(refusal) : waitingWords(reason).why,
        ...(refusal && { nextMs: refusal.opensAtMs }),
        ...(days !== undefined && { lastDay: dayAfter(report.today, days) }),
        ...(until !== undefined && { until }),
      };
      const isReserve = line.refusal !== undefined && (line.refusal.keptCredits ?? 0) > 0;
      // Records of a paused backfill wait until the next sweeps withdraw them.
      const isHalted = purpose === 'backfill' && !backfills.some(({ state }) => RUNNING.has(state));
      if (!isReserve || isHalted || !HELD_BACK.includes(purpose)) return wait;
      const left = Math.max(0, leftFor(line.purpose, report) - aheadCredits);
      const pays = Math.floor(left / Math.max(1, dearest));
      const records = Math.min(line.records, MAX_ADMITTED, pays);
      if (records === 0) return wait;
      return { ...wait, admit: { purpose: line.purpose, records, maxCredits: records * dearest } };
    }),
    ...(waiting?.timed ?? []).map(
      ({ reason, purpose, records, rules, sinceMs, earliestMs, latestMs, isMore }) => {
        const until = eventThatEnds(reason);
        return {
          reason,
          ...(purpose !== undefined && { purpose }),
          records,
          why: rules?.join(' ') ?? waitingWords(reason).why,
          ...(sinceMs !== undefined && { sinceMs }),
          ...(until === undefined ? { nextMs: Math.max(earliestMs, atMs) } : { until }),
          ...(until === undefined && !isMore && { lastMs: Math.max(latestMs, atMs) }),
        };
      },
    ),
  ];
}

const RUNNING: ReadonlySet<BackfillSummary['state']> = new Set(['trial', 'running']);

/** Returns the credits that the budgets have left for this purpose, those reserved for leads included. */
function leftFor(purpose: Purpose, { budgets }: SpendReport): number {
  const own = budgets.filter((budget) => ['total', purpose].includes(budgetParts(budget).scope));
  return Math.max(0, Math.min(...own.map(({ leftCredits }) => leftCredits)));
}

function spendOf({ report }: HomeInput): HomeView['spend'] {
  const { balanceCredits, budgets } = report;
  return {
    todayCredits: report.spentTodayCredits,
    monthCredits: report.spentMonthCredits,
    pendingCredits: report.pendingCredits,
    doubtfulCredits: report.doubtfulCredits,
    forecastCredits: report.forecastMonthCredits,
    ...(balanceCredits !== undefined && { balanceCredits }),
    budgets: budgets.map(({ budget, ...state }) => ({ budget, label: budgetLabel(budget), ...state })),
  };
}

function activityOf({ record, atMs, day, operation, purpose, outcome, credits, askedBy }: Charge) {
  return {
    ...(record !== undefined && { record }),
    atMs,
    day,
    operation,
    purpose,
    outcome,
    credits,
    ...(askedBy !== undefined && { askedBy: askerWords(askedBy) }),
  };
}
