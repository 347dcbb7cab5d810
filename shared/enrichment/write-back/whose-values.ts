import type { CrmRecord, PropertyDefinitions } from '#shared/crm';
import { createMark, createNormalise } from '#shared/field-policy';
import { textOf } from '#shared/identity';
import type { Digest } from '#shared/kernel';
import { type OwnershipChange, withOwnership } from '#shared/ownership';
import { whoAsks } from '../memory.ts';
import type { WriteDraft } from './draft.ts';
import { broughtBackOf, type RecoveredRecord } from './recover.ts';

interface Seen {
  readonly definitions: PropertyDefinitions;
  readonly before: RecoveredRecord;
  /** The record as it is now; a word where it is not to be had. */
  readonly current: CrmRecord | string;
}

/** Whose a record's values are now, and who asks to write: what every decision about one of its properties goes by. */
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
  // Values that an undo brought back, and that are there no more.
  const ended = Object.entries(state.ownership).flatMap(([name, entry]) => {
    const now = Object.hasOwn(properties, name) ? mark(name, properties[name] ?? null) : undefined;
    const gone = entry.broughtBack?.filter((known) => now !== undefined && known !== now) ?? [];
    return gone.length > 0 ? [[name, gone] as const] : [];
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
      by: whoAsks(held),
      answer: isFound ? answered : undefined,
      isAccepted: isFound && answered.accepted !== undefined,
      // What was filled as the record was read, and is blank now, was emptied while this run was under way.
      keepsBlank: new Set([...filled, ...emptied, ...blanksGivenBack]),
    },
    learned: { written, broughtBack, ended: Object.fromEntries(ended) } satisfies OwnershipChange,
  };
}
