import { homeKind } from '#shared/home';
import { json } from './answers.ts';
import type { ServeResult, ServeServices } from './services.ts';

/** The home page as the sweep stored it; no view before the first sweep. Changes nothing. */
export async function showHome({ homes }: Pick<ServeServices, 'homes'>): Promise<ServeResult> {
  return json(200, { view: (await homes.read(homeKind.key()))?.value });
}
