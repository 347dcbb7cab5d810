import { assert, type Random } from '../../../../shared/kernel/index.ts';

/** Random draws from one seeded sequence. The order of the calls determines the world. */
export interface Draw {
  chance(probability: number): boolean;
  /** Draws a whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  /** Draws one of the items by `weight`. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T;
  /** Draws up to `count` different items. They follow each other in the list, from a random start. */
  some<T>(items: readonly T[], count: number): T[];
  /** Draws lower-case hexadecimal digits. */
  hex(length: number): string;
  /** Fills a template: `#` becomes a digit, `@` a letter. */
  fill(template: string): string;
}

export function createDraw(random: Random): Draw {
  const integer = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const pick = <T>(items: readonly T[]): T => itemAt(items, integer(0, items.length - 1));
  return {
    chance: (probability) => random() < probability,
    integer,
    pick,
    weighted: (items) => {
      const total = items.reduce((sum, item) => sum + item.weight, 0);
      let left = random() * total;
      for (const item of items) {
        left -= item.weight;
        if (left < 0) return item;
      }
      return itemAt(items, items.length - 1);
    },
    some: (items, count) => {
      const start = integer(0, items.length - 1);
      return items.map((_, step) => itemAt(items, (start + step) % items.length)).slice(0, count);
    },
    hex: (length) => {
      let digits = '';
      for (let drawn = 0; drawn < length; drawn += 1) digits += integer(0, 15).toString(16);
      return digits;
    },
    fill: (template) =>
      template.replace(/[#@]/g, (sign) => (sign === '#' ? String(integer(0, 9)) : pick([...LETTERS]))),
  };
}

const LETTERS = 'ABCDEGHJKLMNPRSTVWXY';

function itemAt<T>(items: readonly T[], index: number): T {
  assert(index >= 0 && index < items.length, 'a draw from an empty list');
  return items[index] as T;
}
