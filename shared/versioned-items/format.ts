import { UpstreamError } from '#shared/kernel/errors.ts';

/**
 * Of everything that is stored, written beside each item. What an older version wrote stays readable: a field that is
 * added is optional or has a default in its schema. Where that cannot be, this number is raised, and `readable` makes of
 * an older body a present one.
 */
export const FORMAT = 1;

/**
 * The body of an item, as the present schemas read it. Items of the first version carry no format.
 * @throws UpstreamError where a newer version wrote it: whoever goes on would lose what it has noted.
 */
export function readable(body: unknown, format: unknown): unknown {
  const written = format === undefined ? 1 : Number(format);
  if (written <= FORMAT) return body;
  throw new UpstreamError({
    code: 'ITEM_FORMAT_NEWER',
    message: `The tables hold items of format ${written}, and this version reads none above ${FORMAT}: use the newer version again.`,
    retryable: false,
  });
}
