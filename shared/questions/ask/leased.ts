import type { GatewayDeps } from '../gateway-deps.ts';
import type { Asking, QuestionItem } from '../item.ts';

/** The asker's hold on a question: the item as it stands with its lease, and the version to write against. */
export interface Leased {
  readonly kind: 'leased';
  readonly item: QuestionItem;
  readonly asking: Asking;
  readonly version: number;
}

/** Gives the question up with nothing sent: it is as free as before. A lost race means that it already is. */
export async function releaseLease(deps: GatewayDeps, { item, version }: Leased): Promise<void> {
  const { asking: _, ...free } = item;
  await deps.items.write({ key: item.key, value: free, expectedVersion: version });
}
