import { JOB_CHANGE_PROPERTIES } from '#shared/field-policy';
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

/** Keyed hash of a value, by property. */
export type Marks = Readonly<Record<string, string>>;

/**
 * New ownership from a run. It is added to the present entries, because a merge may have changed them during the run.
 */
export interface OwnershipChange {
  /** Our values, as HubSpot returned them. */
  readonly written?: Marks | undefined;
  readonly broughtBack?: Marks | undefined;
  readonly seenFilled?: readonly string[] | undefined;
  /** Properties whose value is no longer ours. */
  readonly released?: readonly string[] | undefined;
  /** Values that an undo restored, and that the record no longer has. */
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
  return withEntry(ownership, property, { written: [mark], unproved: undefined });
}

/** Counts the value as a person's from now on, even if it is blank. */
function restore(ownership: Ownership, property: string, mark: string): Ownership {
  return withEntry(ownership, property, {
    broughtBack: joinHashes(entryOf(ownership, property).broughtBack, [mark]),
  });
}

/** Removes the hashes of restored values that the record no longer has. */
function endBroughtBack(ownership: Ownership, property: string, marks: readonly string[]): Ownership {
  const { broughtBack = [] } = entryOf(ownership, property);
  return withEntry(ownership, property, { broughtBack: broughtBack.filter((mark) => !marks.includes(mark)) });
}

function noteFilled(ownership: Ownership, property: string): Ownership {
  return withEntry(ownership, property, { filledByOthers: true });
}

function release(ownership: Ownership, property: string): Ownership {
  return withEntry(ownership, property, { written: undefined, unproved: undefined });
}

/**
 * Merges the entries of both records. HubSpot keeps one of the two values, and does not tell which one. If both records
 * were answered and have different values, only HubSpot's history can prove that the value is ours.
 */
export function mergeOwnership(
  winner: Ownership,
  loser: Ownership,
  { wereAnswered }: { readonly wereAnswered: boolean },
): Ownership {
  let known = winner;
  for (const property of new Set([...Object.keys(winner), ...Object.keys(loser)])) {
    const [ofWinner, ofLoser] = [entryOf(winner, property), entryOf(loser, property)];
    const written = joinHashes(ofLoser.written, ofWinner.written);
    const isAgreed =
      written.length === ofWinner.written?.length && written.length === ofLoser.written?.length;
    const isUnproved = ofWinner.unproved === true || ofLoser.unproved === true || (wereAnswered && !isAgreed);
    known = withEntry(known, property, {
      written,
      unproved: (isUnproved && written.length > 0) || undefined,
      broughtBack: joinHashes(ofLoser.broughtBack, ofWinner.broughtBack),
      filledByOthers: ofWinner.filledByOthers ?? ofLoser.filledByOthers,
    });
  }
  return known;
}

/** Returns the entry of one property. A property without an entry gets an empty one. */
export function entryOf(ownership: Ownership, property: string): PropertyOwnership {
  return (Object.hasOwn(ownership, property) ? ownership[property] : undefined) ?? {};
}

/** An answer that a verdict is about, with the keyed hashes of its person or company. */
type JudgedAnswer = AnswerName & Pick<AnswerVerdict, 'about'>;

/**
 * Whether a person rejected this person or company for the record, whichever answer named them. A later acceptance ends
 * it.
 * @param about keyed hashes of the answer's person or company.
 */
export function isRejectedSubject(verdicts: Verdicts, about: readonly string[]): boolean {
  const last = verdicts.findLast((verdict) => verdict.about?.some((hash) => about.includes(hash)));
  return last !== undefined && isRejected(last);
}

/** Identifies the answer of a verdict. */
export type AnswerName = Pick<AnswerVerdict, 'questionKey' | 'askedAtMs'>;

export function verdictOn(verdicts: Verdicts, answer: AnswerName): AnswerVerdict | undefined {
  return verdicts.find((each) => isAbout(each, answer));
}

/** Whether the answer counts as one about another person or company. A person's acceptance overrules this. */
export function isRejected({ rejected, inSpiteOf }: AnswerVerdict): boolean {
  return rejected !== undefined && inSpiteOf === undefined;
}

/** Whether a person rejected the answer or its job change, so that nobody has to review it. */
export function isRejectedByPerson({ rejected, declined = [] }: AnswerVerdict): boolean {
  return rejected?.byPerson === true || JOB_CHANGE_PROPERTIES.some((name) => declined.includes(name));
}

/** Marks the answer as one about another person or company. Keeps earlier decisions of a person. */
export function rejectAnswer(
  verdicts: Verdicts,
  answer: JudgedAnswer,
  rejected: NonNullable<AnswerVerdict['rejected']>,
): Verdicts {
  const known = verdictOn(verdicts, answer);
  if (!rejected.byPerson)
    return withNewVerdict(verdicts, answer, {
      rejected: known?.rejected?.byPerson ? known.rejected : rejected,
    });
  return withNewVerdict(verdicts, answer, { rejected, inSpiteOf: undefined, about: answer.about });
}

/** Stores that a person accepted the answer, in spite of contrary evidence. */
export function acceptAnswer(
  verdicts: Verdicts,
  answer: JudgedAnswer,
  inSpiteOf: NonNullable<AnswerVerdict['inSpiteOf']>,
): Verdicts {
  return withNewVerdict(verdicts, answer, { inSpiteOf, rejected: undefined, about: answer.about });
}

/** Stores that a person declined values of the answer. */
export function declineValues(
  verdicts: Verdicts,
  answer: AnswerName,
  properties: readonly string[],
): Verdicts {
  const { declined = [] } = verdictOn(verdicts, answer) ?? {};
  return withNewVerdict(verdicts, answer, { declined: [...new Set([...declined, ...properties])] });
}

/** Merges verdicts. If both records have a verdict on the same answer, the winner's verdict counts. */
export function mergeVerdicts(winner: Verdicts, loser: Verdicts): Verdicts {
  const others = loser.filter((each) => !verdictOn(winner, each));
  return bounded([...others, ...winner]);
}

function withNewVerdict(
  verdicts: Verdicts,
  { questionKey, askedAtMs }: AnswerName,
  change: { readonly [Key in keyof AnswerVerdict]?: AnswerVerdict[Key] | undefined },
): Verdicts {
  const answer = { questionKey, askedAtMs };
  const verdict = withoutEmpty({ ...verdictOn(verdicts, answer), ...answer, ...change }) as AnswerVerdict;
  return bounded([...verdicts.filter((each) => !isAbout(each, answer)), verdict]);
}

/** Drops the oldest verdicts if there are too many. Verdicts of people are dropped last. */
function bounded(verdicts: Verdicts): Verdicts {
  if (verdicts.length <= MAX_VERDICTS) return verdicts;
  const isWithoutPerson = ({ rejected, inSpiteOf, declined }: AnswerVerdict) =>
    rejected?.byPerson !== true && inSpiteOf === undefined && declined === undefined;
  const oldest = verdicts.find(isWithoutPerson) ?? verdicts[0];
  return bounded(verdicts.filter((each) => each !== oldest));
}

function isAbout(verdict: AnswerName, { questionKey, askedAtMs }: AnswerName): boolean {
  return verdict.questionKey === questionKey && verdict.askedAtMs === askedAtMs;
}

function joinHashes(older: readonly string[] = [], newer: readonly string[] = []): string[] {
  return [...new Set([...older.filter((mark) => !newer.includes(mark)), ...newer])].slice(-MAX_HASHES);
}

type EntryChange = { readonly [Key in keyof PropertyOwnership]?: PropertyOwnership[Key] | undefined };

function withEntry(ownership: Ownership, property: string, change: EntryChange): Ownership {
  const entry = withoutEmpty({ ...entryOf(ownership, property), ...change });
  const { [property]: _, ...others } = ownership;
  return Object.keys(entry).length > 0 ? { ...others, [property]: entry } : others;
}

/** Drops absent values and empty lists, because both mean the same. */
function withoutEmpty(entry: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).filter(([, value]) => value !== undefined && value?.length !== 0),
  );
}
