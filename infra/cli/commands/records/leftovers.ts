import type { ObjectType } from '#shared/crm';
import { leftoversOf } from '#shared/field-policy';
import { questionKind, storedRecord } from '#shared/questions';
import type { JournalEntry } from '#shared/records';
import type { Connection } from '../../connection/connection.ts';

/** Maximum number of answers to inspect, newest first. More answers would show the same values. */
const MOST_ANSWERS = 200;

export interface Unmapped {
  readonly objectType: ObjectType;
  /** HubSpot property. Absent if the policy names no property for the value. */
  readonly property?: string;
  /** Key in the answer. */
  readonly key?: string;
  readonly reason: string;
}

/** Values of the newest answers that no field of the policy uses. */
export async function leftoversIn(
  { services, policy }: Pick<Connection, 'services' | 'policy'>,
  entries: readonly JournalEntry[],
): Promise<Unmapped[]> {
  const byQuestion = new Map(
    entries.flatMap((one) => (one.question ? [[one.question.key, one] as const] : [])),
  );
  const newest = [...byQuestion].slice(-MOST_ANSWERS);
  const found: Unmapped[] = [];
  for (const [questionKey, { objectType }] of newest) {
    const item = (await services.questions.items.read(questionKind.key(questionKey)))?.value;
    const record =
      item?.answer?.kind === 'found' ? await storedRecord(services.questions, item, item.answer) : undefined;
    const keys = leftoversOf(record ?? {}, policy.fields[objectType]);
    found.push(...keys.map((key) => ({ objectType, key, reason: 'no field of the policy takes it' })));
  }
  return found;
}
