import {
  type AnswerVerdict,
  MAX_HASHES,
  MAX_VERDICTS,
  type Ownership,
  type PropertyOwnership,
  type Verdicts,
} from './schemas.ts';

/*
 * A property:  not ours --note written--> ours --release, or an undo--> restored --value changes--> not ours
 *              at any time: seen filled by others; joined with the entry of a merged record
 * An answer:   open --reject--> rejected --accept--> accepted in spite of --reject by a person--> rejected
 *              at any time: some properties declined
 */

/** By property: the keyed hash of a value. */
export type Marks = Readonly<Record<string, string>>;

/** New ownership from a run. It is added to the present entries, because a merge may have changed them meanwhile. */
export interface OwnershipChange {
  /** Our values, as HubSpot returned them. */
  readonly written?: Marks | undefined;
  readonly broughtBack?: Marks | undefined;
  readonly seenFilled?: readonly string[] | undefined;
  /** Properties whose value is no longer ours. */
  readonly released?: readonly string[] | undefined;
  /** Values that an undo restored and that are no longer there. */
  readonly ended?: Readonly<Record<string, readonly string[]>> | undefined;
}

export function withOwnership(
  ownership: Ownership,
  { written = {}, broughtBack = {}, seenFilled = [], released = [], ended = {} }: OwnershipChange,
): Ownership {
  let known = ownership;
  for (const [property, marks] of Object.entries(ended)) known = endBroughtBack(known, property, marks);
  for (const [property, mark] of Object.entries(written)) known = noteWritten(known, property, mark);
  for (const [property, mark] of Object.entries(broughtBack)) known = restore(known, property, mark);
  for (const property of seenFilled) known = noteFilled(known, property);
  for (const property of released) known = release(known, property);
  return known;
}

function noteWritten(ownership: Ownership, property: string, mark: string): Ownership {
  return entered(ownership, property, { written: [mark], unproved: undefined });
}

/** Counts the value as a person's from now on, blank or not. */
function restore(ownership: Ownership, property: string, mark: string): Ownership {
  return entered(ownership, property, {
    broughtBack: joined(entryOf(ownership, property).broughtBack, [mark]),
  });
}

/** Removes restored values that are no longer there. */
function endBroughtBack(ownership: Ownership, property: string, marks: readonly string[]): Ownership {
  const { broughtBack = [] } = entryOf(ownership, property);
  return entered(ownership, property, { broughtBack: broughtBack.filter((mark) => !marks.includes(mark)) });
}

function noteFilled(ownership: Ownership, property: string): Ownership {
  return entered(ownership, property, { filledByOthers: true });
}

function release(ownership: Ownership, property: string): Ownership {
  return entered(ownership, property, { written: undefined, unproved: undefined });
}

/**
 * Merges the entries of both records. HubSpot keeps one of two values, and does not say which. If both records were
 * answered and have different values, only HubSpot's history can prove that the value is ours.
 */
export function mergeOwnership(
  winner: Ownership,
  loser: Ownership,
  { wereAnswered }: { readonly wereAnswered: boolean },
): Ownership {
  let known = winner;
  for (const property of new Set([...Object.keys(winner), ...Object.keys(loser)])) {
    const [own, other] = [entryOf(winner, property), entryOf(loser, property)];
    const written = joined(other.written, own.written);
    const isAgreed = written.length === own.written?.length && written.length === other.written?.length;
    const isOpen = own.unproved === true || other.unproved === true || (wereAnswered && !isAgreed);
    known = entered(known, property, {
      written,
      unproved: (isOpen && written.length > 0) || undefined,
      broughtBack: joined(other.broughtBack, own.broughtBack),
      filledByOthers: own.filledByOthers ?? other.filledByOthers,
    });
  }
  return known;
}

/** Returns the entry of one property; an empty one if there is none. */
export function entryOf(ownership: Ownership, property: string): PropertyOwnership {
  return (Object.hasOwn(ownership, property) ? ownership[property] : undefined) ?? {};
}

/** Identifies the answer of a verdict. */
export type AnswerName = Pick<AnswerVerdict, 'questionKey' | 'askedAtMs'>;

export function verdictOn(verdicts: Verdicts, answer: AnswerName): AnswerVerdict | undefined {
  return verdicts.find((each) => isAbout(each, answer));
}

/** Whether the answer counts as one about another person; a person's acceptance overrules this. */
export function isRejected({ rejected, inSpiteOf }: AnswerVerdict): boolean {
  return rejected !== undefined && inSpiteOf === undefined;
}

/** Marks the answer as one about another person. Earlier decisions of a person stay. */
export function rejectAnswer(
  verdicts: Verdicts,
  answer: AnswerName,
  rejected: NonNullable<AnswerVerdict['rejected']>,
): Verdicts {
  const known = verdictOn(verdicts, answer);
  if (!rejected.byPerson)
    return judged(verdicts, answer, { rejected: known?.rejected?.byPerson ? known.rejected : rejected });
  return judged(verdicts, answer, { rejected, inSpiteOf: undefined });
}

/** Accepts the answer for a person, in spite of contrary evidence. */
export function acceptAnswer(
  verdicts: Verdicts,
  answer: AnswerName,
  inSpiteOf: NonNullable<AnswerVerdict['inSpiteOf']>,
): Verdicts {
  return judged(verdicts, answer, { inSpiteOf, rejected: undefined });
}

/** Declines values of the answer for a person. */
export function declineValues(
  verdicts: Verdicts,
  answer: AnswerName,
  properties: readonly string[],
): Verdicts {
  const { declined = [] } = verdictOn(verdicts, answer) ?? {};
  return judged(verdicts, answer, { declined: [...new Set([...declined, ...properties])] });
}

/** Merges verdicts. If both records have a verdict on the same answer, the winner's counts. */
export function mergeVerdicts(winner: Verdicts, loser: Verdicts): Verdicts {
  const others = loser.filter((each) => !verdictOn(winner, each));
  return bounded([...others, ...winner]);
}

function judged(
  verdicts: Verdicts,
  { questionKey, askedAtMs }: AnswerName,
  change: { readonly [Key in keyof AnswerVerdict]?: AnswerVerdict[Key] | undefined },
): Verdicts {
  const answer = { questionKey, askedAtMs };
  const verdict = withoutEmpty({ ...verdictOn(verdicts, answer), ...answer, ...change }) as AnswerVerdict;
  return bounded([...verdicts.filter((each) => !isAbout(each, answer)), verdict]);
}

/** Drops the oldest verdict beyond the limit; verdicts of people go last. */
function bounded(verdicts: Verdicts): Verdicts {
  if (verdicts.length <= MAX_VERDICTS) return verdicts;
  const isOurs = ({ rejected, inSpiteOf, declined }: AnswerVerdict) =>
    rejected?.byPerson !== true && inSpiteOf === undefined && declined === undefined;
  const oldest = verdicts.find(isOurs) ?? verdicts[0];
  return bounded(verdicts.filter((each) => each !== oldest));
}

function isAbout(verdict: AnswerName, { questionKey, askedAtMs }: AnswerName): boolean {
  return verdict.questionKey === questionKey && verdict.askedAtMs === askedAtMs;
}

function joined(older: readonly string[] = [], newer: readonly string[] = []): string[] {
  return [...new Set([...older.filter((mark) => !newer.includes(mark)), ...newer])].slice(-MAX_HASHES);
}

type EntryChange = { readonly [Key in keyof PropertyOwnership]?: PropertyOwnership[Key] | undefined };

function entered(ownership: Ownership, property: string, change: EntryChange): Ownership {
  const entry = withoutEmpty({ ...entryOf(ownership, property), ...change });
  const { [property]: _, ...others } = ownership;
  return Object.keys(entry).length > 0 ? { ...others, [property]: entry } : others;
}

/** Drops absent values and empty lists, which mean the same, so that neither is stored. */
function withoutEmpty(entry: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).filter(([, value]) => value !== undefined && value?.length !== 0),
  );
}
