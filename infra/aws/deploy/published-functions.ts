import { LIVE_ALIAS } from '../names.ts';
import { type PublishedFunction, releaseIn } from './releases.ts';
import { signedCall } from './signed-call.ts';

/** A function's versions and where its alias points. @throws ConfigurationError if Lambda refuses */
export async function readPublished(name: string): Promise<PublishedFunction> {
  const { FunctionVersion } = await lambda('GET', `${name}/aliases/${LIVE_ALIAS}`);
  const versions: PublishedFunction['versions'][number][] = [];
  let marker: string | undefined;
  do {
    const query = marker === undefined ? {} : { Marker: marker };
    const { Versions = [], NextMarker } = await lambda('GET', `${name}/versions`, { query });
    for (const { Version, Description, LastModified } of Versions) {
      const release = releaseIn(String(Description));
      // Beside the published versions it lists $LATEST.
      if (release !== undefined && Version !== '$LATEST')
        versions.push({ version: Number(Version), release, publishedAt: String(LastModified) });
    }
    marker = NextMarker || undefined;
  } while (marker !== undefined);
  return { name, liveVersion: Number(FunctionVersion), versions };
}

/** Points the alias to a version. Requests in progress end on the former one. @throws ConfigurationError */
export async function pointAlias(name: string, version: number): Promise<void> {
  const body = JSON.stringify({ FunctionVersion: String(version) });
  await lambda('PUT', `${name}/aliases/${LIVE_ALIAS}`, { body });
}

/** Lambda's own HTTP API. */
async function lambda(
  method: 'GET' | 'PUT',
  path: string,
  more: { readonly query?: Record<string, string>; readonly body?: string } = {},
) {
  return JSON.parse(
    await signedCall({ service: 'lambda', method, path: `/2015-03-31/functions/${path}`, ...more }),
  );
}
