import { UpstreamError } from '#shared/kernel';

/**
 * The default format of stored kinds. Each item stores its format. Since 0.2.0, a later version can read items of an
 * earlier version: a new field is optional, and an earlier version writes it back unchanged. If older code would have
 * to keep a new field consistent with other fields, the kind's format is raised. Then older code refuses the item, and
 * `upgrade` converts older bodies.
 */
export const FORMAT = 1;

/** Raised formats by kind. `deploy` compares them with the formats that the tables may contain. */
export const RAISED_FORMATS: Readonly<Record<string, number>> = {
  'disclosure record': 2,
};

/** A format that is not the first one. */
export interface RaisedFormat {
  readonly format: number;
  /** Converts a body of an older format, from `FORMAT` on, to the current format. The next write stores the result. */
  readonly upgrade: (body: unknown, format: number) => unknown;
}

/**
 * Returns the body of an item in the current format.
 * @throws UpstreamError if a newer version, or a version before `FORMAT`, wrote the item, because a rewrite would
 * damage it.
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
