import { seededRandom } from '#shared/kernel';

/** Text that no packing makes smaller by much. */
export function noise(chars: number, seed = 7): string {
  const random = seededRandom(seed);
  return Array.from({ length: chars }, () => String.fromCharCode(33 + Math.floor(random() * 90))).join('');
}
