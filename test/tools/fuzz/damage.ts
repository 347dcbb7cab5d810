import type { Random } from '#shared/kernel';

/** Stands where a person's data would: nothing of it may ever be logged. */
export const SECRET_WORD = 'swordfish';

/** What no writer of well-formed messages would put there. */
const JUNK: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  SECRET_WORD,
  '__proto__',
  'constructor',
  'object.',
  '.creation',
  'object.merge',
  'contact.privacyDeletion',
  '0-1',
  '0-99',
  '\u0000',
  '\ud800',
  '\u2028',
  '9'.repeat(25),
  '-1',
  '1e9',
  'x'.repeat(3_000),
  -1,
  0,
  0.5,
  1e308,
  2 ** 53 + 2,
  Number.MAX_SAFE_INTEGER,
  [],
  [[]],
  [null, SECRET_WORD, -1, 1.5, {}],
  {},
  { __proto__: null, toString: 1 },
  { objectId: { valueOf: 7 } },
];

export function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

export function chance(random: Random, share: number): boolean {
  return random() < share;
}

export function junk(random: Random): unknown {
  return oneOf(random, JUNK);
}

/** The object with a few of its fields gone, replaced, renamed or added. */
export function damagedFields(
  random: Random,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const damaged: Record<string, unknown> = { ...value };
  const times = 1 + Math.floor(random() * 3);
  for (let time = 0; time < times; time += 1) {
    const name = oneOf(random, Object.keys(value));
    if (chance(random, 0.3)) delete damaged[name];
    else if (chance(random, 0.8)) damaged[name] = junk(random);
    else damaged[`${name} `] = value[name];
  }
  return damaged;
}

/** The bytes cut short, changed, doubled, or with others among them. */
export function damagedBytes(random: Random, bytes: Buffer): Buffer {
  const at = Math.floor(random() * (bytes.length + 1));
  const stray = Buffer.from([Math.floor(random() * 256)]);
  switch (Math.floor(random() * 5)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), stray, bytes.subarray(at + 1)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), stray, bytes.subarray(at)]);
    case 3:
      return Buffer.concat([bytes, bytes]);
    default:
      return Buffer.concat([Buffer.from('\ufeff'), bytes]);
  }
}
