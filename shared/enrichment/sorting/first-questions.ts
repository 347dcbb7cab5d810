import { covers } from '#shared/questions';
import type { BackfillItems } from '../backfill/members.ts';
import type { Backfill } from '../backfill/schemas.ts';
import { memberKind, membersPartition } from '../backfill/stored-kinds.ts';
import type { FirstQuestion, KnownAnswer } from './sort-record.ts';

interface Asker extends FirstQuestion {
  readonly id: string;
}

/** Records of a quote that ask a question first, by question key. The others reuse its answer. */
export interface FirstQuestions {
  /**
   * @returns `undefined` if the record must ask the question itself. Later records with the same question then reuse
   * its answer.
   */
  take(id: string, question: FirstQuestion): KnownAnswer | undefined;
  /** Reads the stored quote again, because another process may have continued it. */
  load(backfill: Backfill): Promise<void>;
}

export function createFirstQuestions({ members }: Pick<BackfillItems, 'members'>): FirstQuestions {
  const byKey = new Map<string, readonly Asker[]>();
  const add = (asker: Asker) =>
    byKey.set(asker.questionKey, [...(byKey.get(asker.questionKey) ?? []), asker]);
  return {
    take(id, question) {
      const known = byKey.get(question.questionKey) ?? [];
      if (known.some((asker) => asker.id === id)) return undefined;
      if (known.some((asker) => covers(asker.options, question.options))) return 'other-record';
      add({ ...question, id });
      return undefined;
    },
    async load({ id: backfillId, strata }) {
      byKey.clear();
      for (const stratum of strata.keys())
        for (const { id, first } of await members.list({
          partition: memberKind.partition(membersPartition(backfillId, stratum)),
        }))
          if (first) add({ ...first, id });
    },
  };
}
