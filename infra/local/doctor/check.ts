import { type ParamsOf, rendered, type TextParams, type TextRow } from '../text-row.ts';
import { ACCESS_TEXTS } from './texts/access.ts';
import { ACCOUNT_TEXTS } from './texts/account.ts';
import { FIELD_TEXTS } from './texts/fields.ts';
import { OWN_TEXTS } from './texts/own.ts';
import type { CheckVerdict } from './texts/verdict.ts';
import { WEBHOOK_TEXTS } from './texts/webhook.ts';

/** Every result that a check can have. */
export const CHECK_TEXTS = {
  ...OWN_TEXTS,
  ...ACCESS_TEXTS,
  ...ACCOUNT_TEXTS,
  ...FIELD_TEXTS,
  ...WEBHOOK_TEXTS,
};

export type CheckCode = keyof typeof CHECK_TEXTS;
export type CheckParams<Code extends CheckCode> = ParamsOf<(typeof CHECK_TEXTS)[Code]>;

/** Result of one check. */
export interface Check {
  readonly name: string;
  /** What the check saw, for scripts: the row of `CHECK_TEXTS`. */
  readonly code: CheckCode;
  /** Figures and names, without secrets and personal data. */
  readonly params: TextParams;
  readonly verdict: CheckVerdict;
  readonly seen: string;
  /** What a person should do. Absent for `ok`. */
  readonly advice?: string;
  /** Failure of HubSpot that caused this result. */
  readonly fault?: Fault;
}

export interface Fault {
  readonly code: string;
  /** HTTP status. Absent if no answer came. */
  readonly status?: number | undefined;
}

export function checkOf<Code extends CheckCode>(
  name: string,
  code: Code,
  params: CheckParams<Code>,
  fault?: Fault,
): Check {
  const { verdict } = CHECK_TEXTS[code];
  const texts = rendered<TextParams>(CHECK_TEXTS[code] as TextRow<TextParams>, params);
  return { name, code, params, verdict, ...texts, ...(fault && { fault }) };
}

/** Result of a check that was skipped. Another check reports the cause. */
export function notChecked(name: string, { status }: Fault, cause: string): Check {
  return checkOf(name, 'not-checked', { cause, ...(status !== undefined && { status }) });
}
