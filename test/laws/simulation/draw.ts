import type { Random } from '#shared/kernel';

export type Draw = ReturnType<typeof drawing>;

/** Draws random values from one seed. */
export function drawing(random: Random) {
  const below = (count: number) => Math.floor(random() * count);
  return {
    below,
    sometimes: (share: number) => random() < share,
    oneOf: <T>(choices: readonly T[]): T => {
      const chosen = choices[below(choices.length)];
      if (choices.length === 0) throw new Error('The list of choices is empty.');
      return chosen as T;
    },
    many: <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make),
  };
}
