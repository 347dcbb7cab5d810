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
import { change } from '#shared/store';
import { completed, eventKeyOfExecution, type RequestItems } from './request-services.ts';
import type { ActionExecution } from './schemas.ts';
import { requestKind } from './stored-kinds.ts';

interface Services {
  readonly records: RecordItems;
  readonly crm: Pick<Crm, 'completeActions'>;
  /** Executions of the workflow action that wait for their result. */
  readonly requests: RequestItems;
  readonly questions: { readonly ledger: Pick<LedgerReader, 'now'> };
  /** Cost of the cheapest question that the policy allows, in credits. */
  readonly cheapestCredits: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The workflow records that the sweep admits next. */
interface NextAdmitted {
  /** Returns the number of records that the budget can pay for. */
  readonly count: () => Promise<number>;
  /** One of this many admitted records is the record that has waited longest. The others are the newest records. */
  readonly placesAnOldest: number;
}

/**
 * A sweep reads this many executions from each end of the list. The newest records are admitted first, with one place
 * in ten for the oldest. So runs end at both ends of the list.
 */
const READ_FROM_EACH_END = 500;

/** An execution, and the state of its record. */
interface ExecutionWithState {
  readonly execution: ActionExecution;
  readonly state: RecordState;
}

/**
 * Completes the executions whose run has ended, or waits for a reason other than the queue. First reports the result to
 * HubSpot, then stores that the execution is complete. After a crash between these steps, HubSpot gets the report twice
 * and ignores the second one.
 * @returns the number of completed executions.
 */
export async function completeActions(services: Services, next: NextAdmitted): Promise<number> {
  const open = await openExecutions(services);
  const withStates = await mapInChunks(open, lookAt(services));
  const unpaid = await withoutBudget(next, withStates);
  const noBudgetOutputs = outputFields('waiting', 0, unpaid.size > 0 ? await unpaidReason(services) : '');
  const ended = withStates.flatMap(({ execution, state }): Ended[] => {
    const outputs = unpaid.has(execution)
      ? noBudgetOutputs
      : outputsOf(standingAt(state, execution, services.clock.now()));
    return outputs ? [{ execution, action: { callbackId: execution.callbackId, outputs } }] : [];
  });
  let count = 0;
  for (const group of inChunks(ended, COMPLETED_AT_ONCE)) count += await report(services, group);
  return count;
}

function lookAt(services: Services) {
  return async (execution: ActionExecution): Promise<ExecutionWithState> => {
    const { objectType, recordId: id } = execution;
    return { execution, state: await livingState(services, { objectType, id }) };
  };
}

/**
 * Returns the executions whose queued records exceed the budget. The newest records are admitted first, together with
 * some of the oldest.
 */
async function withoutBudget(
  { count, placesAnOldest }: NextAdmitted,
  withStates: readonly ExecutionWithState[],
): Promise<ReadonlySet<ActionExecution>> {
  const queued = withStates
    .filter(({ state }) => state.run?.purpose === 'workflow' && !state.claim && isQueued(state))
    .map(({ execution }) => execution)
    .toSorted((a, b) => b.askedAtMs - a.askedAtMs);
  if (queued.length === 0) return new Set();
  const places = await count();
  const oldestPlaces = Math.ceil(places / placesAnOldest);
  return new Set(queued.slice(places, queued.length - oldestPlaces));
}

async function openExecutions({ requests }: Services): Promise<readonly ActionExecution[]> {
  const query = { partition: requestKind.partition('actions'), limit: READ_FROM_EACH_END };
  const oldest = await requests.list(query);
  const newest =
    oldest.length < READ_FROM_EACH_END ? [] : await requests.list({ ...query, newestFirst: true });
  const found = [...oldest, ...newest].flatMap(({ execution }) => execution ?? []);
  return [...new Map(found.map((each) => [each.callbackId, each])).values()];
}

function standingAt(state: RecordState, { callbackId, recordId }: ActionExecution, nowMs: number): Standing {
  return standingOfEvent(state, { eventKey: eventKeyOfExecution(callbackId), recordId, nowMs });
}

/** Returns the action's output fields; `undefined` while the run is in progress. */
function outputsOf(standing: Standing): Readonly<Record<string, string>> | undefined {
  switch (standing.kind) {
    case 'under-way':
      return undefined;
    case 'unknown':
    case 'merged':
      return outputFields('skipped', 0, standingWords({ kind: 'merged' }).why);
    case 'forgotten':
      return outputFields('skipped', 0, standingWords(standing).why);
    case 'waiting':
      return chargedFields(standing, { ...standing, status: 'waiting', reason: standingWords(standing).why });
    case 'ended':
      return chargedFields(standing, {
        status: runStatus(standing.outcome),
        credits: standing.outcome.credits,
        reason: standingWords(standing).why,
      });
    default:
      return unreachable(standing);
  }
}

interface Charged {
  readonly status: EnrichmentStatus;
  readonly credits: number;
  readonly reason: string;
}

/** If one run serves several wishes, the first wish reports the charge. */
function chargedFields(
  { isServedByEarlier }: Extract<Standing, { kind: 'ended' | 'waiting' }>,
  { status, credits, reason }: Charged,
): Readonly<Record<string, string>> {
  if (!isServedByEarlier || credits === 0) return outputFields(status, credits, reason);
  const served = `An earlier request for this record reports its ${counted(credits, 'credit')}.`;
  return outputFields(status, 0, `${served} ${reason}`);
}

function outputFields(
  outcome: EnrichmentStatus,
  credits: number,
  reason: string,
): Readonly<Record<string, string>> {
  return { outcome, credits: String(credits), reason, hs_execution_state: 'SUCCESS' };
}

async function unpaidReason({ questions, cheapestCredits }: Services): Promise<string> {
  const refusal = (await questions.ledger.now()).refusal({ purpose: 'workflow' }, cheapestCredits);
  return refusal ? refusalSentence(refusal) : BUDGET_TAKEN;
}

export const BUDGET_TAKEN = 'The credits that the budget has left go to other records first.';

interface Ended {
  readonly execution: ActionExecution;
  readonly action: CompletedAction;
}

/** Maximum number of executions in one request of the client. */
const COMPLETED_AT_ONCE = 100;

/** If HubSpot refuses this many single executions and accepts none, the fault does not lie in single executions. */
const MAX_SINGLE_REFUSALS = 3;

/**
 * Reports a group of results. If HubSpot refuses the group, reports them one by one, and closes those that HubSpot
 * refuses.
 * @returns the number of completed executions.
 */
async function report(services: Services, group: readonly Ended[]): Promise<number> {
  try {
    return await reportTogether(services, group);
  } catch (error) {
    if (group.length === 1 || !isRefusal(error)) throw error;
  }
  const refused: Ended[] = [];
  let count = 0;
  for (const single of group) {
    try {
      count += await reportTogether(services, [single]);
    } catch (error) {
      if (!isRefusal(error) || (count === 0 && refused.length + 1 >= MAX_SINGLE_REFUSALS)) throw error;
      refused.push(single);
    }
  }
  if (count === 0) return 0;
  for (const { execution } of refused) {
    services.logger.warn('action-refused', { recordId: recordKey({ ...execution, id: execution.recordId }) });
    await close(services, execution);
  }
  return count;
}

async function reportTogether(services: Services, group: readonly Ended[]): Promise<number> {
  await services.crm.completeActions(group.map(({ action }) => action));
  await mapInChunks(group, ({ execution }) => close(services, execution));
  return group.length;
}

/**
 * Whether HubSpot refuses the content of the request. If the app lacks the scope, HubSpot refuses all requests; this
 * does not count here.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof UpstreamError && hubSpotFailureKind(error.code) === 'request';
}

async function close({ requests, clock }: Services, { callbackId }: ActionExecution): Promise<void> {
  const item = { key: requestKind.key({ execution: callbackId }), kind: 'execution', clock };
  await change(requests, item, (stored) => {
    const known = stored?.execution;
    const isOpen = known && known.doneAtMs === undefined;
    return { value: isOpen ? { execution: completed(known, clock.now()) } : undefined };
  });
}
