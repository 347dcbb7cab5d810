import { UpstreamError } from '#shared/kernel';

/**
 * The format of a stored kind that says no other, written beside each item. From 0.2.0 on a later version reads what an
 * earlier one wrote: a field that is added is optional, and an earlier version writes it back as it was. Where that is
 * not enough, because older code must keep the field in step with the others, the kind's format is raised. Older code
 * refuses the item then, and `upgrade` makes a present body of an older one.
 */
export const FORMAT = 1;

/** Kinds whose format was raised, by their names: `deploy` compares it with what the tables may hold. */
export const RAISED_FORMATS: Readonly<Record<string, number>> = {
  'disclosure record': 2,
};

/** A format that is not the first one. */
export interface RaisedFormat {
  readonly format: number;
  /** Makes a present body of one in an older format, from `FORMAT` on. The next write stores it. */
  readonly upgrade: (body: unknown, format: number) => unknown;
}

/**
 * The body of an item, as the present schemas read it.
 * @throws UpstreamError if a newer version wrote it, or one before `FORMAT`: a rewrite would damage it.
 */
export function readable(body: unknown, format: unknown, raised?: RaisedFormat): unknown {
  const known = raised?.format ?? FORMAT;
  if (format === known) return body;
  if (raised && typeof format === 'number' && format >= FORMAT && format < known)
    return raised.upgrade(body, format);
  const found = format === undefined ? 'without a format' : `of format ${String(format)}`;
  const advice =
    Number(format) > known
      ? 'A newer version wrote them: deploy it again.'
      : 'An older version wrote them: use that version.';
  throw new UpstreamError({
    code: 'ITEM_FORMAT_UNKNOWN',
    message: `The tables hold items ${found}, and this version reads format ${known} only. ${advice}`,
    retryable: false,
  });
}
