import { type LedgerReader, refusalSentence } from '#shared/credit-ledger';
import { type CompletedAction, type Crm, hubSpotFailureKind, recordKey } from '#shared/crm';
import type { EnrichmentStatus } from '#shared/field-policy';
import {
  type Clock,
  counted,
  inChunks,
  type Logger,
  mapInChunks,
  UpstreamError,
  unreachable,
} from '#shared/kernel';
import {
  isQueued,
  livingState,
  type RecordItems,
  type RecordState,
  runStatus,
  type Standing,
  standingOfEvent,
  standingWords,
} from '#shared/records';
import { change } from '#shared/versioned-items';
import { completed, type ExecutionItems, eventKeyOfExecution } from './items.ts';
import type { ActionExecution } from './schemas.ts';
import { executionKind } from './stored-kinds.ts';

interface Services {
  readonly records: RecordItems;
  readonly crm: Pick<Crm, 'completeActions'>;
  /** Executions of the workflow's action that wait to be told. */
  readonly executions: ExecutionItems;
  readonly questions: { readonly ledger: Pick<LedgerReader, 'now'> };
  /** What the cheapest question of the policy costs. */
  readonly cheapestCredits: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The records of workflows that the sweep admits next. */
export interface NextAdmitted {
  /** How many, as far as the budget pays for them. */
  readonly count: () => Promise<number>;
  /** Of so many, one is the record that has waited longest; the others are the newest. */
  readonly placesAnOldest: number;
}

/**
 * A sweep reads so many from either end: the newest records are admitted first, with one place in ten for the
 * oldest, and so these are the ones that come to an end.
 */
const FROM_EACH_END = 500;

/** An execution, and how far its record is. */
interface Looked {
  readonly execution: ActionExecution;
  readonly state: RecordState;
}

/**
 * Tells the workflows whose records have come to an end, or wait for more than their turn. First HubSpot is told, then
 * it is noted: cut off in between, HubSpot is told twice, which it passes over.
 * @returns how many were told.
 */
export async function completeActions(services: Services, next: NextAdmitted): Promise<number> {
  const open = await openExecutions(services);
  const looked = await mapInChunks(open, lookAt(services));
  const unpaid = await withoutBudget(next, looked);
  const noBudget = told('waiting', 0, unpaid.size > 0 ? await whyUnpaid(services) : '');
  const ended = looked.flatMap(({ execution, state }): Ended[] => {
    const outputs = unpaid.has(execution) ? noBudget : outputsOf(standingAt(state, execution));
    return outputs ? [{ execution, action: { callbackId: execution.callbackId, outputs } }] : [];
  });
  let count = 0;
  for (const group of inChunks(ended, TOLD_AT_ONCE)) count += await tell(services, group);
  return count;
}

function lookAt(services: Services) {
  return async (execution: ActionExecution): Promise<Looked> => {
    const { objectType, recordId: id } = execution;
    return { execution, state: await livingState(services, { objectType, id }) };
  };
}

/** Queued records without room in the budget: the newest are admitted first, and some of the oldest. */
async function withoutBudget(
  { count, placesAnOldest }: NextAdmitted,
  looked: readonly Looked[],
): Promise<ReadonlySet<ActionExecution>> {
  const inTurn = looked
    .filter(({ state }) => state.run?.purpose === 'workflow' && !state.claim && isQueued(state))
    .map(({ execution }) => execution)
    .toSorted((a, b) => b.askedAtMs - a.askedAtMs);
  if (inTurn.length === 0) return new Set();
  const room = await count();
  const ofTheOldest = Math.ceil(room / placesAnOldest);
  return new Set(inTurn.slice(room, inTurn.length - ofTheOldest));
}

async function openExecutions({ executions }: Services): Promise<readonly ActionExecution[]> {
  const query = { partition: executionKind.partition('actions'), limit: FROM_EACH_END };
  const oldest = await executions.list(query);
  const newest = oldest.length < FROM_EACH_END ? [] : await executions.list({ ...query, newestFirst: true });
  return [...new Map([...oldest, ...newest].map((each) => [each.callbackId, each])).values()];
}

function standingAt(state: RecordState, { callbackId, recordId }: ActionExecution): Standing {
  return standingOfEvent(state, { eventKey: eventKeyOfExecution(callbackId), recordId });
}

/** @returns nothing while the record is under way. `outcome`, `credits` and `reason` are the action's output fields. */
function outputsOf(standing: Standing): Readonly<Record<string, string>> | undefined {
  switch (standing.kind) {
    case 'under-way':
      return undefined;
    case 'unknown':
    case 'merged':
      return told('skipped', 0, standingWords({ kind: 'merged' }).why);
    case 'forgotten':
      return told('skipped', 0, standingWords(standing).why);
    case 'waiting':
      return charged(standing, { ...standing, status: 'waiting', reason: standingWords(standing).why });
    case 'ended':
      return charged(standing, { ...standing.outcome, status: runStatus(standing.outcome) });
    default:
      return unreachable(standing);
  }
}

interface Charged {
  readonly status: EnrichmentStatus;
  readonly credits: number;
  readonly reason: string;
}

/** Of several wishes that one run serves, the first reports the charge. */
function charged(
  { isServedByEarlier }: Extract<Standing, { kind: 'ended' | 'waiting' }>,
  { status, credits, reason }: Charged,
): Readonly<Record<string, string>> {
  if (!isServedByEarlier || credits === 0) return told(status, credits, reason);
  const served = `An earlier request for this record reports its ${counted(credits, 'credit')}.`;
  return told(status, 0, `${served} ${reason}`);
}

function told(outcome: EnrichmentStatus, credits: number, reason: string): Readonly<Record<string, string>> {
  return { outcome, credits: String(credits), reason, hs_execution_state: 'SUCCESS' };
}

async function whyUnpaid({ questions, cheapestCredits }: Services): Promise<string> {
  const refusal = (await questions.ledger.now()).refusal({ purpose: 'workflow' }, cheapestCredits);
  return refusal
    ? refusalSentence(refusal)
    : 'The credits that the budget has left go to other records first.';
}

interface Ended {
  readonly execution: ActionExecution;
  readonly action: CompletedAction;
}

/** As many as one request of the client takes. */
const TOLD_AT_ONCE = 100;
/** So many that HubSpot refuses one by one, and none that it takes: it is no matter of single ones. */
const REFUSED_ALONE = 3;

/** One that HubSpot refuses keeps none of the others: it is left, for HubSpot wants no end of it. @returns how many were told. */
async function tell(services: Services, group: readonly Ended[]): Promise<number> {
  try {
    return await tellTogether(services, group);
  } catch (error) {
    if (group.length === 1 || !isRefusal(error)) throw error;
  }
  const refused: Ended[] = [];
  let count = 0;
  for (const one of group) {
    try {
      count += await tellTogether(services, [one]);
    } catch (error) {
      if (!isRefusal(error) || (count === 0 && refused.length + 1 >= REFUSED_ALONE)) throw error;
      refused.push(one);
    }
  }
  if (count === 0) return 0;
  for (const { execution } of refused) {
    services.logger.warn('action-refused', { recordId: recordKey({ ...execution, id: execution.recordId }) });
    await close(services, execution);
  }
  return count;
}

async function tellTogether(services: Services, group: readonly Ended[]): Promise<number> {
  await services.crm.completeActions(group.map(({ action }) => action));
  await mapInChunks(group, ({ execution }) => close(services, execution));
  return group.length;
}

/** For what it asks. Without its scope the app is refused them all. */
function isRefusal(error: unknown): boolean {
  return error instanceof UpstreamError && hubSpotFailureKind(error.code) === 'request';
}

async function close({ executions, clock }: Services, { callbackId }: ActionExecution): Promise<void> {
  const item = { key: executionKind.key(callbackId), kind: 'execution', clock };
  await change(executions, item, (known) => ({
    value: known && known.doneAtMs === undefined ? completed(known, clock.now()) : undefined,
  }));
}
