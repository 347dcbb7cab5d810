import { whyNoValue } from './clean/placeholders.ts';
import { foldText } from './fold.ts';
import { areVariants } from './nicknames.ts';

export interface PersonName {
  readonly first: string | undefined;
  readonly last: string | undefined;
}

/** `unknown`: one side is missing or in another script. */
export type Agreement = 'agree' | 'differ' | 'unknown';

// Titles and degrees do not identify a person, and many people leave out particles.
const IGNORED = new Set(
  (
    'dr prof professor mr mrs ms miss mx herr frau ing dipl sir jr sr ii iii iv phd mba msc bsc md esq cpa ' +
    'van von vom zu der den de del della di da do dos das du la le ter ten al el bin ibn ben y e'
  ).split(' '),
);

/** Compares two names by part. First and last name may be swapped. */
export function compareNames(a: PersonName, b: PersonName): { first: Agreement; last: Agreement } {
  const straight = {
    first: compare(a.first, b.first, areAlikeFirst),
    last: compare(a.last, b.last, areAlike),
  };
  if (straight.first !== 'differ' && straight.last !== 'differ') return straight;
  const swapped = {
    first: compare(a.first, b.last, areAlikeFirst),
    last: compare(a.last, b.first, areAlike),
  };
  const both = [swapped.first, swapped.last];
  const isSwapped = both.includes('agree') && !both.includes('differ');
  return isSwapped ? swapped : straight;
}

/** Whether a text is a name. Forms use placeholders for missing names. */
function isName(text: string): boolean {
  return /\p{L}/u.test(text) && !text.includes('@') && whyNoValue(text, 'person-name') === undefined;
}

/** Whether a text, such as the local part of an email address, contains a last name. */
export function holdsName(text: string, name: string): boolean {
  const [wanted, within] = [tokensOf(name).join(''), tokensOf(text).join('')];
  return wanted.length >= 3 && within.includes(wanted);
}

// One common word is enough, because people leave out middle names and one half of a double name.
function compare(
  a: string | undefined,
  b: string | undefined,
  alike: (x: string, y: string) => boolean,
): Agreement {
  // Names in another script are compared as a whole.
  if (a && b && isName(a) && foldText(a) === foldText(b)) return 'agree';
  const [left, right] = [tokensOf(a ?? ''), tokensOf(b ?? '')];
  if (left.length === 0 || right.length === 0) return 'unknown';
  if (alike(left.join(''), right.join(''))) return 'agree';
  const agrees = left.some((x) => right.some((y) => !areMiddleInitials(x, y, [left, right]) && alike(x, y)));
  return agrees ? 'agree' : 'differ';
}

// An initial agrees with a full name. But two equal middle initials prove nothing.
function areMiddleInitials(x: string, y: string, names: readonly (readonly string[])[]): boolean {
  return x.length === 1 && y.length === 1 && names.some((name) => name.some((word) => word.length > 1));
}

function areAlikeFirst(a: string, b: string): boolean {
  return areAlike(a, b) || isShortForm(a, b) || areVariants(a, b);
}

function areAlike(a: string, b: string): boolean {
  if (a.length === 1 || b.length === 1) return a.charAt(0) === b.charAt(0);
  const [left, right] = [withoutUmlauts(a), withoutUmlauts(b)];
  return left === right || (Math.min(left.length, right.length) >= 5 && isOneEditApart(left, right));
}

/** Reduces `ae`, `oe` and `ue` to one letter, because folding also reduces an umlaut to one letter. */
function withoutUmlauts(word: string): string {
  return word.replace(/([aou])e/g, '$1');
}

function isShortForm(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short.length >= 2 && long.startsWith(short);
}

function isOneEditApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const rest = (text: string, from: number) => text.slice(from);
  if (long.length > short.length) return rest(short, start) === rest(long, start + 1);
  return rest(short, start + 1) === rest(long, start + 1) || isSwap(short, long, start);
}

function isSwap(a: string, b: string, at: number): boolean {
  const swapped = a[at] === b[at + 1] && a[at + 1] === b[at];
  return swapped && a.slice(at + 2) === b.slice(at + 2);
}

/** The folded Latin words of a name. */
function tokensOf(name: string): string[] {
  if (!isName(name)) return [];
  const words = foldText(name)
    .replace(/['’`]/g, '')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
  // A name in another script cannot be compared with a Latin name.
  if (words.some((word) => !/^[a-z]+$/.test(word))) return [];
  const distinctive = words.filter((word) => !IGNORED.has(word));
  return distinctive.length === 0 ? words : distinctive;
}
