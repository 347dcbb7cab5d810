import type { ObjectType } from '#shared/crm';
import { isOurs, isStatus, type LeftOut, lastWrite } from '#shared/enrichment';
import { createExactForm, createMark, holdsSeveral, type Mark, membersOf } from '#shared/field-policy';
import { entryOf, holdsOurValue } from '#shared/ownership';
import { isUndo, type JournalEntry, leaves, type RecordState, type Removal } from '#shared/records';
import {
  type Facts,
  readFacts,
  type TakeBackPlan,
  type TakeBackServices,
  type Wanted,
  whyNotOurs,
  writtenProperties,
} from '#shared/take-back';

/** Its values are blank, or the choices of others. */
export interface RemovalPlan extends TakeBackPlan {
  /** Properties that hold a value of ours from outside the recalled period. */
  readonly left: readonly string[];
  /** Properties that hold a value of ours but cannot be emptied now, with the reason. */
  readonly kept: readonly LeftOut[];
}

/**
 * Plans the removal for records of one object type, by their present values.
 * @returns the plans in the given order.
 */
export async function planRemovals(
  services: TakeBackServices,
  objectType: ObjectType,
  wanted: readonly Wanted<Removal>[],
): Promise<readonly RemovalPlan[]> {
  const definitions = await services.crm.definitions(objectType);
  const fields = services.policy.fields[objectType].map(({ property }) => property);
  const namesOf = ({ ownership }: RecordState, entries: readonly JournalEntry[]) => {
    const names = [...fields, ...writtenProperties(entries), ...Object.keys(ownership)];
    return [...new Set(names)].filter((name) => !isStatus(name) && definitions.has(name));
  };
  const states = wanted.map(({ state }) => state);
  const facts = await readFacts(services, objectType, { states, namesOf });
  const mark = createMark({ definitions, hash: services.digest.keyed });
  return wanted.flatMap((each, at) => {
    const known = facts[at];
    if (!known) return [];
    const current = known.current?.id === each.state.id ? known.current : undefined;
    const plan = planRemoval(services, { ...each, ...known, current, mark });
    return [known.isUnreadable ? { ...plan, kept: [UNREADABLE] } : plan];
  });
}

const UNREADABLE: LeftOut = { property: '', reason: 'HubSpot did not return the record' };

interface RemovalInput extends Wanted<Removal>, Facts {
  readonly mark: Mark;
}

function planRemoval(services: TakeBackServices, known: RemovalInput): RemovalPlan {
  const { current, names, leftOut = [] } = known;
  if (!current) return { values: {}, left: [], kept: [], current };
  const filled = names.filter((property) => (current.properties[property] ?? '') !== '');
  const values: Record<string, string> = {};
  const left: string[] = [];
  const kept: LeftOut[] = [...leftOut];
  for (const property of filled) {
    const value = current.properties[property] ?? '';
    const isRefused = leftOut.some((each) => each.property === property);
    if (isRefused || !isByUs(services, known, { property, value })) continue;
    const remainder = choicesOfOthers(services, known, { property, value });
    if (remainder === value) continue;
    if (!isObtained(known, { property, value })) {
      left.push(property);
      continue;
    }
    const isOurWrite = isOurValue(services, known, property);
    const why = whyNotOurs(services, { ...known, property }, isOurWrite);
    if (why && isOurWrite(value)) kept.push({ property, reason: why.reason });
    if (!why) values[property] = remainder;
  }
  return { values, left, kept, current };
}

interface HeldValue {
  readonly property: string;
  readonly value: string;
}

/**
 * A property with several choices can hold choices of others besides the ones that we added. Returns the choices of
 * others.
 */
function choicesOfOthers(
  { ownAppId }: TakeBackServices,
  { definitions, versions }: RemovalInput,
  { property, value }: HeldValue,
): string {
  const definition = definitions.get(property);
  if (!definition || !holdsSeveral(definition)) return '';
  const theirs = versions[property]?.find((version) => !isOurs(version, ownAppId));
  const chosen = new Set(membersOf(theirs?.value ?? ''));
  const remaining = membersOf(value).filter((member) => chosen.has(member));
  return remaining.length === membersOf(value).length ? value : remaining.join(';');
}

/** Whether our app wrote the value last, as far as HubSpot shows. A person's value is left out of the plan. */
function isByUs(
  { ownAppId }: TakeBackServices,
  known: RemovalInput,
  { property, value }: HeldValue,
): boolean {
  const newest = lastWrite(known.versions[property]);
  if (newest) return isOurs(newest, ownAppId);
  return holdsOurValue(known.state.ownership, property, known.mark(property, value));
}

/**
 * Returns a check whether a value is our own write. If the app's id is known, HubSpot's history proves our writes. The
 * check then only excludes people's values that an undo restored.
 */
function isOurValue(
  { ownAppId }: TakeBackServices,
  { state: { ownership }, theirs = {}, entries, mark, definitions }: RemovalInput,
  property: string,
): (value: string) => boolean {
  const exactForm = createExactForm(definitions);
  return (value) => {
    const isBroughtBack = entryOf(ownership, property).broughtBack?.includes(mark(property, value));
    if (isBroughtBack || theirs[property] === value) return false;
    const write = writesOf(entries, property).find(
      ({ change }) =>
        leaves(change, value) || exactForm(property, change.after) === exactForm(property, value),
    );
    if (write) return !isUndo(write.entry, write.change);
    return ownAppId !== undefined || holdsOurValue(ownership, property, mark(property, value));
  };
}

/** Returns our writes of a property, newest first. */
function writesOf(entries: readonly JournalEntry[], property: string) {
  const writing = entries.filter(({ kind }) => kind !== 'removal').toReversed();
  return writing.flatMap((entry) =>
    entry.changes
      .filter((change) => change.property === property && change.state !== 'refused')
      .map((change) => ({ entry, change })),
  );
}

/** Whether the value was obtained in the recalled period, judged by the time of its question or its write. */
function isObtained(
  { wish: { obtained }, entries, versions }: RemovalInput,
  { property, value }: HeldValue,
): boolean {
  if (!obtained) return true;
  const write = writesOf(entries, property).find(({ change }) => leaves(change, value));
  const times = [
    write?.entry.question?.askedAtMs,
    write?.entry.atMs,
    lastWrite(versions[property])?.timestampMs,
  ];
  const knownTimes = times.filter((ms) => ms !== undefined);
  return knownTimes.length === 0 || knownTimes.some((ms) => ms >= obtained.fromMs && ms <= obtained.toMs);
}
