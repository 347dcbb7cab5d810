import type { Random } from './random.ts';

export const systemRandom: Random = () => Math.random();
