/** A function with its alias and versions, as the deployment's own calls see it. */
export interface PlayedFunction {
  live: string;
  readonly versions: readonly { readonly Version: string; readonly Description: string }[];
}

const PATH = /^\/2015-03-31\/functions\/([\w-]+)\/(aliases\/live|versions)$/;
/** So few that a list has more than one page. */
const PAGE = 2;

/** Lambda's HTTP API. Nothing where the request is for another service. */
export async function lambdaAnswer(
  functions: Map<string, PlayedFunction>,
  request: Request,
  text: string,
): Promise<Response | undefined> {
  const { pathname, searchParams } = new URL(request.url);
  const [, name = '', resource = ''] = PATH.exec(pathname) ?? [];
  if (resource === '') return undefined;
  const found = functions.get(name);
  if (!found) {
    const headers = { 'x-amzn-errortype': 'ResourceNotFoundException' };
    return Response.json({ Type: 'User', Message: `Function not found: ${name}` }, { status: 404, headers });
  }
  if (resource === 'versions') {
    const at = Number(searchParams.get('Marker') ?? 0);
    const Versions = found.versions.slice(at, at + PAGE);
    const more = at + PAGE < found.versions.length ? { NextMarker: String(at + PAGE) } : {};
    return Response.json({
      Versions: Versions.map((each) => ({ ...each, LastModified: '2026-11-20T09:00' })),
      ...more,
    });
  }
  if (request.method === 'PUT') found.live = String(JSON.parse(text).FunctionVersion);
  return Response.json({ Name: 'live', FunctionVersion: found.live });
}
