import { change } from '#shared/versioned-items/change.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { Attempt } from '../schemas.ts';
import { type AttemptedItem, release } from '../transitions.ts';

/** The asker's hold on a question: the item as it stands with its attempt, and the version to write against. */
export interface Held {
  readonly kind: 'held';
  readonly item: AttemptedItem;
  readonly version: number;
}

/** Writes the held item's next state; nothing where another write came between. */
export async function writeHeld(
  { items }: Pick<GatewayServices, 'items'>,
  { version }: Pick<Held, 'version'>,
  item: AttemptedItem,
): Promise<Held | undefined> {
  const written = await items.write({ key: item.key, value: item, expectedVersion: version });
  return written === 'written' ? { kind: 'held', item, version: version + 1 } : undefined;
}

/** Gives the question up with nothing sent: fences off nobody, charges nothing, leaves nothing behind. */
export async function withdraw(
  services: GatewayServices,
  { item: { key, attempt } }: Held,
  reason: string,
): Promise<void> {
  await services.ledger.apply({ kind: 'void', reservationId: attempt.reservationId, reason });
  await releaseLease(services, { key, attempt });
}

export async function releaseLease(
  { items, clock }: Pick<GatewayServices, 'items' | 'clock'>,
  { key, attempt }: { readonly key: string; readonly attempt: Attempt },
): Promise<void> {
  await change(items, { key, kind: 'question', clock }, (item) => release(item, attempt));
}

/**
 * The item changed under the holder. Mostly the question was taken over: its reservation is the new holder's to
 * void, and voiding twice does no harm. But an answer that came late may have been put beside a lease that still
 * stands: then the lease goes, so that nobody waits for its end.
 */
export async function fencedOff(services: GatewayServices, held: Held): Promise<{ kind: 'again' }> {
  await withdraw(services, held, 'abandoned');
  return { kind: 'again' };
}
