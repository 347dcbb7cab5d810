import { UpstreamError } from '#shared/kernel';

/**
 * The format of everything that is stored, written beside each item. From 0.2.0 on a later version reads what an earlier
 * one wrote: a field that is added is optional. Where that cannot be, this number is raised, and `readable` makes a
 * present body of an older one.
 */
export const FORMAT = 1;

/**
 * The body of an item, as the present schemas read it.
 * @throws UpstreamError if another version wrote it: a rewrite would lose its unknown fields.
 */
export function readable(body: unknown, format: unknown): unknown {
  if (format === FORMAT) return body;
  const found = format === undefined ? 'without a format' : `of format ${String(format)}`;
  throw new UpstreamError({
    code: 'ITEM_FORMAT_UNKNOWN',
    message: `The tables hold items ${found}, and this version reads format ${FORMAT} only: use the version that wrote them.`,
    retryable: false,
  });
}
