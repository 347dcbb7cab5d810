import type { CrmRecord, PropertyDefinitions } from '#shared/crm';
import { createMark, createNormalise } from '#shared/field-policy';
import { textOf } from '#shared/identity';
import type { Digest } from '#shared/kernel';
import { type OwnershipChange, withOwnership } from '#shared/ownership';
import { requesterOf } from '../memory.ts';
import type { WriteDraft } from './draft.ts';
import { broughtBackOf, type RecoveredRecord } from './recover.ts';

interface Seen {
  readonly definitions: PropertyDefinitions;
  readonly before: RecoveredRecord;
  /** The present record, or a word for the reason why it is not available. */
  readonly current: CrmRecord | string;
}

/** Returns the facts for every write decision: the ownership of the record's values, and the requester. */
export function whoseValues(
  { digest }: { readonly digest: Digest },
  { held, answered }: WriteDraft,
  { definitions, before, current }: Seen,
) {
  const mark = createMark({ definitions, hash: digest.keyed });
  const broughtBack = broughtBackOf(before, mark);
  const { record, state, emptied = [], others } = held;
  const { written } = before;
  const properties = typeof current === 'string' ? {} : current.properties;
  const filled = Object.keys(record.properties).filter((name) => textOf(record, name));
  const blanksGivenBack = Object.keys(broughtBack).filter((name) => broughtBack[name] === mark(name, ''));
  // Restored values that the record no longer has.
  const ended = Object.entries(state.ownership).flatMap(([name, entry]) => {
    const presentMark = Object.hasOwn(properties, name) ? mark(name, properties[name] ?? null) : undefined;
    const outdatedMarks =
      entry.broughtBack?.filter((known) => presentMark !== undefined && known !== presentMark) ?? [];
    return outdatedMarks.length > 0 ? [[name, outdatedMarks] as const] : [];
  });
  const isFound = answered.kind === 'found';
  return {
    rules: {
      ownership: withOwnership(state.ownership, { written, broughtBack }),
      verdicts: state.verdicts,
      others: { ...others, ...before.others },
      ...{ current: properties, mark, normalise: createNormalise(definitions) },
    },
    request: {
      by: requesterOf(held),
      answer: isFound ? answered : undefined,
      isAccepted: isFound && answered.accepted !== undefined,
      // If a property was filled at the read and is blank now, a person emptied it during this run.
      keepsBlank: new Set([...filled, ...emptied, ...blanksGivenBack]),
    },
    learned: { written, broughtBack, ended: Object.fromEntries(ended) } satisfies OwnershipChange,
  };
}
