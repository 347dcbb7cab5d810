import * as z from 'zod';

/** Schemas with a list `a` without a bound. */
export const UNBOUNDED = {
  'an array': z.object({ a: z.array(z.string()) }),
  'an optional array of a variant': z.discriminatedUnion('k', [
    z.object({ k: z.literal('x'), a: z.array(z.int()).optional() }),
  ]),
  'a record by any text': z.object({ a: z.record(z.string(), z.int()) }),
  'a list that falls back': z.object({ a: z.array(z.int()) }).catch({ a: [] }),
  'a list in a bounded list': z.array(z.object({ a: z.array(z.int()) })).max(3),
};

export const BOUNDED = {
  'a maximum': z.array(z.string()).max(3),
  'words of a fixed list': z.array(z.enum(['a', 'b'])),
  'keys of a fixed list': z.record(z.enum(['a', 'b']), z.int()),
};
