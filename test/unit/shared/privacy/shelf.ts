import type { SideItem, SuppressionItem } from '#inside/questions/schemas.ts';
import { brotliPacking } from '#shared/kernel/adapters';
import { createForgetting } from '#shared/privacy';
import type { ForgetServices, QuestionItem } from '#shared/questions';
import { type Journal, type RecordState, recordPlace } from '#shared/records';
import type { VersionedItems } from '#shared/store';
import type { CallResult } from '#shared/vendor';
import { createMemoryItems } from '../../../builders/memory-items.ts';
import { openGateway } from '../questions/asking.ts';

/** The gateway, the records, and all that lies in their stores as somebody with the tables would read it. */
export function openShelf(answers?: readonly CallResult[]) {
  const opened = openGateway({ budgets: { perDay: 10_000 }, ...(answers && { answers }) });
  const questions = watched<QuestionItem>(opened.stores.items);
  const sideItems = watched<SideItem>(opened.stores.sideItems);
  const suppression = watched<SuppressionItem>(opened.stores.suppression);
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  const purged: string[] = [];
  const journal: Pick<Journal, 'purge'> = {
    purge: async ({ objectType, id }, { runs }) => void purged.push(`${objectType}#${id} ${runs}`),
  };
  const reviews = { purge: async () => undefined };
  const { services } = opened.worker('forgetter');
  const forgetting: ForgetServices = createForgetting({ ...services, records, journal, reviews });
  const stored = () => [questions, sideItems, suppression].flatMap((items) => [...items.values()]);
  const text = () => stored().map(readable).join('\n').toLowerCase();
  return {
    ...opened,
    records,
    purged,
    forgetting,
    /** Of these texts, those that are to be found in a store. */
    foundOf: (texts: readonly string[]) => texts.filter((each) => text().includes(each)),
  };
}

/** Sees what lies in a store, key by key. */
function watched<T>(items: VersionedItems<T>): ReadonlyMap<string, T> {
  const known = new Map<string, T>();
  const { write } = items;
  Object.assign(items, {
    write: async (change: Parameters<typeof write>[0]) => {
      const written = await write(change);
      if (written !== 'conflict') known.set(change.key, change.value);
      return written;
    },
  } satisfies Partial<VersionedItems<T>>);
  return known;
}

/** As JSON, with what is packed in it unpacked. */
function readable(value: unknown): string {
  return JSON.stringify(value, (name, inner) =>
    name === 'packed' && typeof inner === 'string' ? brotliPacking.unpack(inner) : inner,
  );
}
