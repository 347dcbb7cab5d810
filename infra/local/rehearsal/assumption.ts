import type { TextParams } from '../text-row.ts';

/** A behaviour of an outside service that our code or a stand-in relies on, although no document guarantees it. */
export interface Assumption {
  readonly id: string;
  readonly what: string;
  /** Where we learned of the behaviour. */
  readonly source: string;
  /** The file that would fail if the assumption were wrong. */
  readonly reliedOnBy: string;
  /** What to change if the real service differs: a setting of the stand-in, or a file. */
  readonly toChange: string;
  /** The test that checks the assumption on the stand-in. */
  readonly test: string;
  /** The step of the rehearsal that checks the assumption, or the reason why no step does. */
  readonly step: string | { readonly none: string };
}

/** Result of a rehearsal for one assumption. `seen` is our own text, without values, names, ids or tokens. */
export type AssumptionVerdict =
  | { readonly verdict: 'holds'; readonly seen?: string | undefined }
  | { readonly verdict: 'differs'; readonly seen: string }
  | {
      readonly verdict: 'not seen';
      /** The reason, for scripts. A difference has the id of its assumption instead. */
      readonly code: string;
      readonly params: TextParams;
      readonly seen: string;
    };

export function asAssumed(seen?: string): AssumptionVerdict {
  return { verdict: 'holds', ...(seen !== undefined && { seen }) };
}

export function differs(seen: string): AssumptionVerdict {
  return { verdict: 'differs', seen };
}

/** Returns the verdict that the assumption holds if `isMet`. Otherwise it differs, with the text `seen`. */
export function metOr(isMet: boolean, seen: string): AssumptionVerdict {
  return isMet ? asAssumed() : differs(seen);
}
