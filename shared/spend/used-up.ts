import { shortDay } from './figures.ts';
import type { UsedUp } from './forecast.ts';

/** `about 24 Nov (20 Nov to 1 Dec)`; of what may not come to it, `perhaps from 20 Nov on`. */
export function usedUpWords({ earlyOn, likelyOn, lateOn }: UsedUp): string {
  if (!likelyOn) return `perhaps from ${shortDay(earlyOn)} on`;
  if (earlyOn === lateOn) return `on ${shortDay(likelyOn)}`;
  const until = lateOn ? `to ${shortDay(lateOn)}` : 'or later';
  return `about ${shortDay(likelyOn)} (${shortDay(earlyOn)} ${until})`;
}
