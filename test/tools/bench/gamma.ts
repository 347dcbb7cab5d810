import type { Random } from '#shared/kernel';

/**
 * Draws from Gamma(shape, 1), whose mean is its shape. Marsaglia and Tsang (2000); for shapes below one, multiplied by
 * a power of a uniform value.
 */
export function gammaDraw(random: Random, shape: number): number {
  if (shape < 1) return gammaDraw(random, shape + 1) * random() ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = normalDraw(random);
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Draws from the standard normal distribution. Box and Muller (1958). */
function normalDraw(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
