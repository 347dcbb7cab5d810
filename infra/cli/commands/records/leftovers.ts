import type { ObjectType } from '#shared/crm';
import { leftoversOf } from '#shared/field-policy';
import { questionKind, storedRecord } from '#shared/questions';
import type { JournalEntry } from '#shared/records';
import type { Connection } from '../../connection/connection.ts';

/** So many of the newest answers are looked into: they are alike. */
const MOST_ANSWERS = 200;

export interface Unmapped {
  readonly objectType: ObjectType;
  /** Of HubSpot; absent where no property is named for the value. */
  readonly property?: string;
  /** In the answer. */
  readonly key?: string;
  readonly reason: string;
}

/** What the newest answers hold and no field of the policy takes. */
export async function leftoversIn(
  { services, policy }: Pick<Connection, 'services' | 'policy'>,
  entries: readonly JournalEntry[],
): Promise<Unmapped[]> {
  const asked = new Map(entries.flatMap((one) => (one.question ? [[one.question.key, one] as const] : [])));
  const newest = [...asked].slice(-MOST_ANSWERS);
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
