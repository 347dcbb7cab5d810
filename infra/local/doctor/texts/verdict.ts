import { type TextParams, type TextRow, textRow, type Words } from '../../text-row.ts';

export type CheckVerdict = 'ok' | 'warn' | 'fail';

/** A row of a check: the verdict, and the texts. */
export interface CheckRow<P> extends TextRow<P> {
  readonly verdict: CheckVerdict;
}

export function ok<P extends TextParams>(example: P, seen: Words<P>): CheckRow<P> {
  return { verdict: 'ok', ...textRow(example, seen) };
}

export function warn<P extends TextParams>(example: P, seen: Words<P>, advice: Words<P>): CheckRow<P> {
  return { verdict: 'warn', ...textRow(example, seen, advice) };
}

export function fail<P extends TextParams>(example: P, seen: Words<P>, advice: Words<P>): CheckRow<P> {
  return { verdict: 'fail', ...textRow(example, seen, advice) };
}
