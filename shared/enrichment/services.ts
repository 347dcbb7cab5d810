import type { LedgerReader } from '#shared/credit-ledger';
import {
  type Crm,
  type CrmRecord,
  type HubSpotFailure,
  type HubSpotFailureCode,
  hubSpotFailureKind,
  type ObjectType,
  type PropertyDefinitions,
} from '#shared/crm';
import type { Admission, EnrichmentStatus, Policy } from '#shared/field-policy';
import { type Clock, type Digest, type Logger, MINUTE_MS, type NewId } from '#shared/kernel';
import type { Explanation, WrittenByOthers } from '#shared/ownership';
import type { AskGateway, ForgetServices } from '#shared/questions';
import type {
  CompanyClaims,
  Days,
  Journal,
  Learned,
  OutcomeKind,
  PassServices,
  RecordItems,
  RecordState,
  Run,
  WaitingReason,
  WriteBreakers,
} from '#shared/records';
import type { Reviews } from '#shared/review';
import type { ItemKey, Known, Together } from '#shared/store';

export interface EnrichmentServices {
  /** Writes of one work are one transaction. */
  readonly together: Together;
  readonly records: RecordItems;
  /** States as this batch last wrote them. So the next change of such a state needs no read. */
  readonly statesWritten?: Map<ItemKey, Known<RecordState>> | undefined;
  readonly crm: Crm;
  readonly journal: Journal;
  readonly reviews: Reviews;
  readonly writeBreakers: WriteBreakers;
  /** Features that may halt a run, in the order in which they are asked. */
  readonly extensions: readonly Extension[];
  /** Counts the yield of the runs, for the spend report. */
  readonly days: Pick<Days, 'addYields'>;
  /** Claims to create the company of a domain. */
  readonly companyClaims: CompanyClaims;
  /** Index from people to our data about them, and the people who asked to be forgotten. */
  readonly forgetting: ForgetServices;
  readonly gateway: AskGateway;
  readonly policy: Policy;
  /**
   * Id of the HubSpot app. History entries of this app count as ours. Without the id, only our own records show which
   * values are ours.
   */
  readonly ownAppId?: string | undefined;
  /**
   * Time of the installation, epoch milliseconds. Older records are touched only by a backfill or at a person's
   * request.
   */
  readonly installedAtMs: number;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly digest: Digest;
  readonly logger: Logger;
  /** Observes each written value and each outcome, for people who watch a local run. */
  readonly observer?: EnrichmentObserver | undefined;
}

/** A feature that the core asks at named points. The core knows the points, not the features. */
export interface Extension {
  readonly name: string;
  /** Which runs may spend nothing now. */
  readonly halt?: Halt;
  /**
   * Returns the reason, as a code, if the record's ended run waits all the same, because an event that the extension
   * knows opens it again.
   */
  readonly reopensAfter?: (state: RecordState) => Promise<string | undefined>;
}

/** A part of a sweep that belongs to an extension. A failed step does not stop the others. */
export interface SweepStep {
  readonly name: string;
  /** `admission`: before waiting records are admitted, because the step opens runs. `last`: it may take long. */
  readonly place: 'admission' | 'last';
  readonly take: (services: StepServices) => Promise<void>;
}

/** Services of a sweep that its steps may use. */
export type StepServices = Pick<
  EnrichmentServices,
  | 'together'
  | 'records'
  | 'journal'
  | 'reviews'
  | 'crm'
  | 'forgetting'
  | 'policy'
  | 'ownAppId'
  | 'clock'
  | 'newId'
  | 'digest'
  | 'logger'
> & {
  readonly ledger: Pick<LedgerReader, 'now'>;
  /** Positions of the regular work. */
  readonly status: PassServices['status'];
};

export interface Halt {
  /** Why a halted run ends. */
  readonly reason: Explanation;
  /** Returns the halted runs of a batch. */
  readonly ofBatch: (runs: readonly RecordClaim[]) => Promise<ReadonlySet<RecordClaim>>;
  /**
   * Asks again inside the transaction that marks a request, and holds what it reads. So no request is marked after a
   * person has stopped it.
   */
  readonly inTransaction: (run: RecordClaim) => Promise<boolean>;
}

export interface EnrichmentObserver {
  ended(report: RecordReport): void;
  /** Called for a message whose events were all handled before. */
  repeated(record: { readonly objectType: ObjectType; readonly id: string }): void;
}

/** Report on one record's run, for a person. It holds values, so it is never logged. */
export interface RecordReport {
  readonly objectType: ObjectType;
  readonly id: string;
  readonly runOutcome: RunOutcome;
  readonly written: readonly {
    readonly property: string;
    readonly before: string | null;
    readonly after: string;
  }[];
}

/** Time limit of a batch. */
export interface TimeLimit {
  /** Time at which the function must have ended, epoch milliseconds. Every wait ends well before it. */
  readonly deadlineMs: number;
}

/** A record that this worker holds. */
export interface RecordClaim {
  readonly objectType: ObjectType;
  readonly id: string;
  readonly state: RecordState;
  readonly run: Run;
}

export interface ClaimedRecord extends RecordClaim {
  readonly record: CrmRecord;
  /** The portal's properties of the record's object type. */
  readonly definitions: PropertyDefinitions;
  /** Properties that a person emptied, as HubSpot's history shows. They stay blank in this run. */
  readonly emptied?: readonly string[];
  /** Values that others wrote, as HubSpot's history shows. */
  readonly others?: WrittenByOthers | undefined;
  /** Decision of the policy's rules about the record. */
  readonly admission: Admission;
  /** Start of the read, epoch milliseconds. */
  readonly readAtMs: number;
  /** Whether `enrichment_requested` is set in HubSpot. The run says whether a person set it. */
  readonly requested: boolean;
}

/** End of a run, or the reason why it continues later. */
export type RunOutcome =
  | {
      readonly kind: 'outcome';
      readonly outcome: OutcomeKind;
      /** `enrichment_status` in HubSpot, if it is not `outcome`. */
      readonly status?: EnrichmentStatus | undefined;
      readonly reason: Explanation;
      readonly credits: number;
      readonly learned: Learned;
    }
  | {
      readonly kind: 'deferred';
      readonly reason: WaitingReason;
      /** Details for a person, such as the budget and its remaining credits. No personal data. */
      readonly detail?: string | undefined;
      /** Figures and names behind the wait, for scripts. */
      readonly params?: Explanation['params'];
      readonly untilMs: number;
      /** Set if the price is above the limit of the budget that refuses it. */
      readonly isAboveLimit?: true | undefined;
      readonly credits: number;
      readonly learned: Learned;
    };

/**
 * Returns until when work waits after a failure of HubSpot as a whole. Uses HubSpot's own delay if it gave one;
 * otherwise the delay depends on whether a retry can help.
 */
export function hubSpotFailure(
  { code, status, requestId, retryable, retryAfterMs }: HubSpotFailure,
  { clock, logger }: Pick<EnrichmentServices, 'clock' | 'logger'>,
): { readonly reason: HubSpotFailureCode; readonly untilMs: number } {
  logger.warn('hubspot-unavailable', { code, status, requestId, retryable });
  const waitMs = retryAfterMs ?? (retryable ? MINUTE_MS : 15 * MINUTE_MS);
  return { reason: code, untilMs: clock.now() + waitMs };
}

/** Whether HubSpot refuses permanently. Any other failure may be retried. */
export function isRefusal({ code }: HubSpotFailure): boolean {
  const kind = hubSpotFailureKind(code);
  return kind === 'scope' || kind === 'request';
}

/** The failed items with their errors. */
export type Failures<T> = ReadonlyMap<T, { readonly error: unknown }>;

/** Works on many items concurrently. A failure affects only its own item. */
export async function eachAlone<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<Failures<T>> {
  const failures = new Map<T, { readonly error: unknown }>();
  await Promise.all(
    items.map((item) => work(item).catch((error: unknown) => void failures.set(item, { error }))),
  );
  return failures;
}

/** A failure before the record's state could store it. */
export interface CaughtFailure {
  readonly kind: 'error';
  readonly error: unknown;
}

/**
 * Confines a failure to one record. The failure is reported, the message is delivered again, and other records
 * continue.
 */
export async function caught<R>(work: () => Promise<R>): Promise<R | CaughtFailure> {
  try {
    return await work();
  } catch (error) {
    return { kind: 'error', error };
  }
}

interface Extended {
  readonly extensions: readonly Extension[];
}

interface HaltedRun {
  readonly claim: RecordClaim;
  readonly reason: Explanation;
}

/** Returns why extensions halt runs, by run. */
export async function haltReasons(
  { extensions }: Extended,
  runs: readonly RecordClaim[],
): Promise<ReadonlyMap<RecordClaim, Explanation>> {
  const reasons = new Map<RecordClaim, Explanation>();
  for (const { halt } of extensions)
    for (const claim of (await halt?.ofBatch(runs)) ?? []) if (halt) reasons.set(claim, halt.reason);
  return reasons;
}

/**
 * Splits off the runs that an extension halts. A run that has its answer, or may have sent a request, continues, because
 * its credits are spent.
 */
export async function splitHalted(
  services: Extended,
  held: readonly RecordClaim[],
): Promise<{ readonly halted: readonly HaltedRun[]; readonly others: readonly RecordClaim[] }> {
  const unsent = held.filter(({ run }) => hasSentNothing(run));
  const reasons = await haltReasons(services, unsent);
  const halted = [...reasons].map(([claim, reason]) => ({ claim, reason }));
  return { halted, others: held.filter((claim) => !reasons.has(claim)) };
}

/** Whether an extension halts the run. The caller is a work of the store. */
export async function isRunHalted({ extensions }: Extended, held: RecordClaim): Promise<boolean> {
  for (const { halt } of extensions) if (await halt?.inTransaction(held)) return true;
  return false;
}

/** Returns why an ended run waits for an event that an extension knows; `undefined` if it has really ended. */
export async function reopensAfter(
  extensions: readonly Pick<Extension, 'reopensAfter'>[],
  state: RecordState,
): Promise<string | undefined> {
  for (const extension of extensions) {
    const reason = await extension.reopensAfter?.(state);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether the run has sent no request that its counted credits do not include. */
export function hasSentNothing({ answeredQuestion, commitments = [] }: Run): boolean {
  return answeredQuestion === undefined && commitments.length === 0;
}

/**
 * Ends a run that was halted before its lookup.
 * @param credits credits that the run has cost, or may have cost.
 */
export function withdrawn(reason: Explanation, credits: number) {
  return {
    outcome: 'skipped',
    reason,
    // Only a record without cost is withdrawn. A record that has cost credits counts as done.
    learned: credits === 0 ? { isWithdrawn: true } : {},
  } as const;
}
