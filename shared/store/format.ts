import { UpstreamError } from '#shared/kernel';

/**
 * The format of all stored items and of a data folder. Raised only if other code cannot read what this code writes. A new
 * field is optional, and older code writes it back unchanged, so it needs no new format.
 */
export const FORMAT = 5;

/**
 * Returns the body of an item.
 * @throws UpstreamError if the item has another format, because a rewrite would damage it
 */
export function readable(body: unknown, format: unknown): unknown {
  if (format === FORMAT) return body;
  const found = format === undefined ? 'without a format' : `of format ${String(format)}`;
  const advice =
    Number(format) > FORMAT
      ? 'A newer version wrote them: deploy it again.'
      : 'An older version wrote them: use that version.';
  throw new UpstreamError({
    code: 'ITEM_FORMAT_UNKNOWN',
    message: `The tables hold items ${found}, and this version reads format ${FORMAT} only. ${advice}`,
    retryable: false,
  });
}
