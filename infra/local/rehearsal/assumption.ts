/** A behaviour of an outside service that our code or a stand-in relies on, and that no document settles for good. */
export interface Assumption {
  readonly id: string;
  readonly what: string;
  /** Where we have it from. */
  readonly source: string;
  /** The file that would go wrong. */
  readonly reliedOnBy: string;
  /** The setting of the stand-in, or the file, to change where the real service differs. */
  readonly toChange: string;
  /** The test that holds it on the stand-in. */
  readonly test: string;
  /** The step of the rehearsal that looks at it, or why none does. */
  readonly step: string | { readonly none: string };
}

/** What a rehearsal saw of one assumption. The words are ours and hold no values, names, ids or tokens. */
export type AssumptionVerdict =
  | { readonly verdict: 'holds'; readonly seen?: string | undefined }
  | { readonly verdict: 'differs'; readonly seen: string }
  | { readonly verdict: 'not seen'; readonly seen: string };

export function asAssumed(seen?: string): AssumptionVerdict {
  return { verdict: 'holds', ...(seen !== undefined && { seen }) };
}

export function differs(seen: string): AssumptionVerdict {
  return { verdict: 'differs', seen };
}

export function notSeen(why: string): AssumptionVerdict {
  return { verdict: 'not seen', seen: why };
}

/** Holds where `isMet`; differs with these words otherwise. */
export function metOr(isMet: boolean, seen: string): AssumptionVerdict {
  return isMet ? asAssumed() : differs(seen);
}
