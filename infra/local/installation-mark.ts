import { installationMark, MARKED_PROPERTY, type MarkSeen, markSeen, withMark } from '#shared/field-policy';
import type { HubSpotClient } from '#shared/hubspot';
import { type Digest, UpstreamError } from '#shared/kernel';

interface MarkServices {
  readonly hubSpot: Pick<HubSpotClient, 'listProperties' | 'describeProperty'>;
  readonly digest: Pick<Digest, 'keyed'>;
}

export async function readMark(services: MarkServices): Promise<MarkSeen> {
  return markSeen(await description(services), services.digest);
}

/**
 * Writes our mark, so that another installation on this account can see it.
 * @returns the previous owner of the mark; `forbidden` if the token may not change properties.
 */
export async function leaveMark(services: MarkServices): Promise<MarkSeen | 'forbidden'> {
  const found = await description(services);
  const seen = markSeen(found, services.digest);
  if (seen === 'ours' || found === undefined) return seen;
  const { objectType, name } = MARKED_PROPERTY;
  try {
    const marked = withMark(found, installationMark(services.digest));
    await services.hubSpot.describeProperty(objectType, { name, description: marked });
  } catch (error) {
    if (error instanceof UpstreamError && error.code === 'HUBSPOT_FORBIDDEN') return 'forbidden';
    throw error;
  }
  return seen;
}

/** @returns the property's description, or `undefined` if the property does not exist. */
async function description({ hubSpot }: MarkServices): Promise<string | undefined> {
  const listed = await hubSpot.listProperties(MARKED_PROPERTY.objectType);
  const property = listed.find(({ name, archived }) => name === MARKED_PROPERTY.name && !archived);
  return property && (property.description ?? '');
}
