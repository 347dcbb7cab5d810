import { createForgetting } from '#shared/privacy';
import type { ForgetServices } from '#shared/questions';
import { type Journal, type RecordState, recordPlace } from '#shared/records';
import type { CallResult } from '#shared/vendor';
import { createMemoryItems } from '../../../harness/memory-items.ts';
import { openGateway } from '../questions/asking.ts';

/** The gateway, the records, and all that lies in their stores as somebody with the tables would read it. */
export function openShelf(answers?: readonly CallResult[]) {
  const opened = openGateway({ budgets: { perDay: 10_000 }, ...(answers && { answers }) });
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  const purged: string[] = [];
  const journal: Pick<Journal, 'purge'> = {
    purge: async ({ objectType, id }, { runs }) => void purged.push(`${objectType}#${id} ${runs}`),
  };
  const reviews = { purge: async () => undefined };
  const { services } = opened.worker('forgetter');
  const forgetting: ForgetServices = createForgetting({ ...services, records, journal, reviews });
  const text = () =>
    opened.store.database
      .prepare(
        "SELECT body FROM items WHERE key LIKE '%#question#%' OR key LIKE '%#link#%' OR key LIKE '%#forgotten#%'",
      )
      .all()
      .map(({ body }) => String(body))
      .join('\n')
      .toLowerCase();
  return {
    ...opened,
    records,
    purged,
    forgetting,
    /** Of these texts, those that are to be found in a store. */
    foundOf: (texts: readonly string[]) => texts.filter((each) => text().includes(each)),
  };
}
