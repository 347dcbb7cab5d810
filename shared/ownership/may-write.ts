import { type Mark, missingPart, type Normalise, type Proposal, type WriteMode } from '#shared/field-policy';
import { assert, unreachable } from '#shared/kernel';
import type { Ownership, PropertyOwnership, Verdicts } from './schemas.ts';
import { type AnswerName, entryOf, isRejected, verdictOn } from './transitions.ts';

/** Reason why a value is not written. `unproved` means that nothing proves that the present value is ours. */
export type KeptReason =
  | 'never'
  | 'rejected'
  | 'declined'
  | 'not-read'
  | 'cleared'
  | 'person-wrote'
  | 'same'
  | 'not-blank'
  | 'unproved';

/**
 * Texts for a person, by code. They follow "jobtitle stays:" or "jobtitle may be written:". They name a person as the
 * author of a value only if this is proved.
 */
export const WRITE_VERDICT_TEXTS = {
  blank: 'it is blank',
  always: 'the policy always writes it',
  ours: 'it holds what we wrote last',
  never: 'the policy never writes it',
  rejected: 'the answer is about another person or company',
  declined: 'a person does not want this value',
  'not-read': 'HubSpot did not return it',
  cleared: 'it was emptied, and stays blank',
  'person-wrote': 'it is not the value that we wrote last',
  'person-changed': 'a person has changed it since',
  'app-changed': 'another app or import has changed it since',
  'person-emptied': 'a person has emptied it since',
  'app-emptied': 'another app or import has emptied it since',
  'brought-back': 'an undo restored it',
  same: 'it says so already',
  'not-blank': 'it is filled',
  unproved: 'we cannot tell who wrote it',
} as const;

export type WriteVerdictCode = keyof typeof WRITE_VERDICT_TEXTS;

/** `code` is more exact than `reason`: it says how a value stopped being ours. */
export type WriteVerdict =
  | { readonly may: true; readonly code: WriteVerdictCode; readonly says: string }
  | {
      readonly may: false;
      readonly reason: KeptReason;
      readonly code: WriteVerdictCode;
      readonly says: string;
    };

/** Origin of the write. `event` is a new or changed record, without a request of a person or workflow. */
export type AskedBy = 'person' | 'workflow' | 'schedule' | 'backfill' | 'event';

export interface WriteRequest {
  readonly by: AskedBy;
  /** The answer that contains the value. */
  readonly answer?: AnswerName | undefined;
  /**
   * Whether a person accepts the answer now, even if it was rejected before. Values that a person declined are still
   * not written.
   */
  readonly isAccepted?: boolean | undefined;
  /**
   * Properties that were emptied since the record was read, or that HubSpot's history shows as emptied. No request
   * fills them.
   */
  readonly keepsBlank?: ReadonlySet<string> | undefined;
}

export interface CurrentValue {
  /** `null` or `''` means blank. `undefined` means that the value was not read. */
  readonly value: string | null | undefined;
  /** Keyed hash of the value; absent if the caller has no key. */
  readonly mark?: string | undefined;
  /** Whether the write journal names this value as our last write. */
  readonly isJournalled?: boolean | undefined;
  /**
   * Author of this value, as HubSpot's history shows. Absent if the history was not read or does not show an author.
   */
  readonly lastBy?: 'us' | 'person' | 'app' | undefined;
  /** Whether the proposed value is equal in normal form. */
  readonly isSame?: boolean | undefined;
}

/** By property: a value that others wrote, as HubSpot's history shows. */
export type WrittenByOthers = Readonly<
  Record<string, { readonly value: string; readonly by: 'person' | 'app' }>
>;

interface WriteQuestion {
  readonly ownership: Ownership;
  readonly verdicts: Verdicts;
  /**
   * `take-back` is an undo or a removal. It needs proof that the value is ours, and ignores the policy's field rules.
   */
  readonly rule: { readonly property: string; readonly write: WriteMode | 'take-back' };
  readonly current: CurrentValue;
  readonly request: WriteRequest;
}

/** Decides whether a property can be written now. Every writer uses this decision. */
export function mayWrite({ ownership, verdicts, rule, current, request }: WriteQuestion): WriteVerdict {
  const { property, write } = rule;
  if (write === 'never') return keep('never');
  const verdict = request.answer && verdictOn(verdicts, request.answer);
  if (verdict && !request.isAccepted && isRejected(verdict)) return keep('rejected');
  if (verdict?.declined?.includes(property) && !current.isSame) return keep('declined');
  const { value, mark = '' } = current;
  if (value === undefined) return keep('not-read');
  const entry = entryOf(ownership, property);
  if (write === 'take-back') return mayTakeBack(entry, current);
  const isBlank = value === null || value.trim() === '';
  if (write !== 'always') {
    // If a person requests the record, blanks that people emptied earlier are filled.
    const isEmptied = request.by !== 'person' && wasEmptied(entry, current);
    if (isBlank && (isEmptied || request.keepsBlank?.has(property))) return keep('cleared');
    if (!isBlank && entry.broughtBack?.includes(mark)) return keep('person-wrote', 'brought-back');
  }
  if (isBlank) return allow('blank');
  if (current.isSame) return keep('same');
  switch (write) {
    case 'always':
      return allow('always');
    case 'fill-blank':
      return keep('not-blank');
    case 'ours':
      return mayReplace(entry, current);
    default:
      return unreachable(write);
  }
}

/** Whether the ownership entry shows that the value is our last written one, and no undo restored it. */
export function holdsOurValue(ownership: Ownership, property: string, mark: string): boolean {
  const entry = entryOf(ownership, property);
  return entry.written?.includes(mark) === true && !entry.broughtBack?.includes(mark);
}

/** Whether a blank property was filled before. If so, a person emptied it. */
export function wasEmptied(entry: PropertyOwnership, { mark = '' }: Pick<CurrentValue, 'mark'>): boolean {
  return (
    entry.written !== undefined || entry.filledByOthers === true || entry.broughtBack?.includes(mark) === true
  );
}

function mayReplace(entry: PropertyOwnership, current: CurrentValue): WriteVerdict {
  const { mark, isJournalled, lastBy } = current;
  if (lastBy === 'person' || lastBy === 'app') return keep('person-wrote', `${lastBy}-changed`);
  if (entry.written === undefined) return keep('unproved');
  const isOurs = mark === undefined ? isJournalled === true : entry.written.includes(mark);
  if (!isOurs) return keep('person-wrote');
  return entry.unproved && lastBy !== 'us' && mark !== undefined ? keep('unproved') : allow('ours');
}

/**
 * Requires proof that the value is still ours: our journal contains it, and HubSpot's history names our app as its
 * author.
 */
function mayTakeBack(entry: PropertyOwnership, current: CurrentValue): WriteVerdict {
  const { value, mark = '', isJournalled, lastBy } = current;
  if (lastBy === 'person' || lastBy === 'app')
    return keep('person-wrote', value ? `${lastBy}-changed` : `${lastBy}-emptied`);
  if (entry.broughtBack?.includes(mark)) return keep('person-wrote', 'brought-back');
  if (!isJournalled) return keep('person-wrote');
  return lastBy === 'us' ? allow('ours') : keep('unproved');
}

function allow(code: WriteVerdictCode): WriteVerdict {
  return { may: true, code, says: WRITE_VERDICT_TEXTS[code] };
}

function keep(reason: KeptReason, code: WriteVerdictCode = reason): WriteVerdict {
  return { may: false, reason, code, says: WRITE_VERDICT_TEXTS[code] };
}

export interface KeptProperty {
  readonly property: string;
  readonly reason: KeptReason;
  readonly code: WriteVerdictCode;
  readonly says: string;
}

export interface WriteDecision {
  /** Values to send, which are never empty. `;a;b` appends choices to a property that holds several. */
  readonly writes: Record<string, string>;
  readonly kept: KeptProperty[];
}

export interface ProposedWrites extends Pick<WriteQuestion, 'ownership' | 'verdicts' | 'request'> {
  readonly proposed: readonly Proposal[];
  /** HubSpot's present values. `null` or `''` means blank. An absent property was not read. */
  readonly current: Readonly<Record<string, string | null>>;
  readonly others?: WrittenByOthers;
  readonly mark: Mark;
  readonly normalise: Normalise;
}

/**
 * Decides which proposed values replace the present values. An equal value is never written, so a second run with the
 * same answer writes nothing.
 */
export function decideWrites({
  proposed,
  current,
  others = {},
  mark,
  normalise,
  ...context
}: ProposedWrites): WriteDecision {
  const decision: WriteDecision = { writes: {}, kept: [] };
  for (const proposal of proposed) {
    const { property, rule } = proposal;
    assert(proposal.value.trim() !== '', 'a proposed value is never empty');
    const value = Object.hasOwn(current, property) ? current[property] : undefined;
    const missing = value ? missingPart(proposal, value, normalise) : proposal.value;
    const othersWrite = Object.hasOwn(others, property) ? others[property] : undefined;
    const lastBy = othersWrite?.value === value ? othersWrite?.by : undefined;
    const present = { value, mark: mark(property, value ?? null), isSame: missing === undefined, lastBy };
    const verdict = mayWrite({ ...context, rule, current: present });
    if (!verdict.may) {
      const { reason, code, says } = verdict;
      decision.kept.push({ property, reason, code, says });
    } else decision.writes[property] = missing ?? proposal.value;
  }
  return decision;
}
