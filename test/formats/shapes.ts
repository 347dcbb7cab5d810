import { createHash } from 'node:crypto';
import * as z from 'zod';

/** A stored kind as a version stores it: what older and later code must agree on. */
export interface KindShape {
  readonly format: number;
  /** JSON schema of the body. */
  readonly shape: unknown;
}
export type Shapes = Readonly<Record<string, KindShape>>;

interface ShapedKind {
  readonly name: string;
  readonly format: number;
  readonly schema: object;
}

/** By the name of the kind. */
export function shapesOf(kinds: readonly ShapedKind[]): Shapes {
  return Object.fromEntries(
    kinds.map(({ name, format, schema }) => {
      const { $schema: _, ...shape } = z.toJSONSchema(schema as z.ZodType, {
        io: 'input',
        unrepresentable: 'any',
      });
      return [name, { format, shape }];
    }),
  );
}

/** A changed shape that older code may read and write: by the name of its kind. */
export type Decisions = Readonly<Record<string, { readonly print: string; readonly because: string }>>;

/**
 * A sentence for each kind whose shape differs from the released one without a decision: its format is raised, or the
 * decisions say of just this shape why older code may go on with it.
 */
export function undecided(released: Shapes, present: Shapes, decisions: Decisions): readonly string[] {
  return Object.entries(released).flatMap(([name, was]) => {
    const is = present[name];
    if (!is) return [`"${name}" is gone or has another name: deploy compares formats by it.`];
    if (is.format < was.format) return [`"${name}" has format ${is.format}; ${was.format} was released.`];
    const changes = differences(was.shape, is.shape);
    const isDecided = is.format > was.format || decisions[name]?.print === printOf(is);
    if (changes.length === 0 || isDecided) return [];
    return [
      `"${name}" differs from the released shape: ${changes.join('; ')}. Raise its format in its row ("raised"), or, if code of the release may read and rewrite it, add to COMPATIBLE: print '${printOf(is)}', and why.`,
    ];
  });
}

function printOf({ shape }: KindShape): string {
  return createHash('sha256').update(JSON.stringify(shape)).digest('hex').slice(0, 12);
}

/** Paths that were added, removed or changed. */
function differences(was: unknown, is: unknown, path = ''): readonly string[] {
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  if (!isObject(was) || !isObject(is)) return [`${path || '/'} changed`];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((key) => {
    const at = `${path}/${key}`;
    if (!(key in was)) return [`${at} added`];
    if (!(key in is)) return [`${at} removed`];
    return differences(was[key], is[key], at);
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
