import type { PolicyInput } from '#shared/field-policy';
import { DATA_SERVICE_URL } from './addresses.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

type Whom = NonNullable<PolicyInput['whom']>;
export type ContactRule = NonNullable<Whom['contacts']>[number];

/** A world whose policy has rules for admitting records. */
export const ruledWorld = (whom: Whom, more: WorldOptions = {}): Promise<World> =>
  createWorld({ ...more, policy: { ...more.policy, whom } });

/** Calls `act` once, during the first paid request to the data service. */
export function whileAsked(act: () => Promise<void>): NonNullable<WorldOptions['through']> {
  let isDone = false;
  return (send) => async (request) => {
    const isPaid = request.url.startsWith(DATA_SERVICE_URL) && !request.url.includes('auth');
    if (isPaid && !isDone) {
      isDone = true;
      await act();
    }
    return send(request);
  };
}

/** Changes the properties of contacts or companies, as an administrator does in HubSpot's settings. */
export async function changeProperties(
  { portal }: Pick<World, 'portal'>,
  method: 'POST' | 'DELETE',
  { objectType, name }: { readonly objectType: 'contacts' | 'companies'; readonly name: string },
): Promise<void> {
  const base = `https://hubspot.example/crm/properties/2026-09/${objectType}`;
  const groupName = objectType === 'contacts' ? 'contactinformation' : 'companyinformation';
  const property = { name, label: name, groupName, type: 'string', fieldType: 'text' };
  const response = await portal.sandbox.handle(
    new Request(method === 'POST' ? base : `${base}/${name}`, {
      method,
      headers: { authorization: 'Bearer sandbox-token', 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(property) }),
    }),
  );
  if (!response.ok) throw new Error(await response.text());
}
