import { MINUTE_MS } from '#shared/kernel';
import type { World } from './world.ts';

/** A person searches for one result; the data service delivers and charges four. */
export async function searchWithOverrun({ changeService, clock, services }: World) {
  await changeService({ pageOverrun: 3 });
  const search = JSON.stringify({ person_titles: ['Engineer'], per_page: 1 });
  const question = { operation: 'searchPeople', by: { search }, options: [] } as const;
  return services.gateway.ask({ question, purpose: 'manual', notAfterMs: clock.now() + 5 * MINUTE_MS });
}
