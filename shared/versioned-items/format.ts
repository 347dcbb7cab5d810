import { UpstreamError } from '#shared/kernel';

/**
 * The format of a stored kind that says no other, written beside each item. From 0.2.0 on a later version reads what an
 * earlier one wrote: a field that is added is optional, and an earlier version writes it back as it was. Where that is
 * not enough, because older code must keep the field in step with the others, the kind's format is raised. Older code
 * refuses the item then, and `readable` makes a present body of an older one.
 */
export const FORMAT = 1;

/**
 * The body of an item, as the present schemas read it.
 * @throws UpstreamError if another version wrote it: a rewrite would lose its unknown fields.
 */
export function readable(body: unknown, format: unknown, known = FORMAT): unknown {
  if (format === known) return body;
  const found = format === undefined ? 'without a format' : `of format ${String(format)}`;
  throw new UpstreamError({
    code: 'ITEM_FORMAT_UNKNOWN',
    message: `The tables hold items ${found}, and this version reads format ${known} only: use the version that wrote them.`,
    retryable: false,
  });
}
