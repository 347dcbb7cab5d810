import { createHash, createHmac } from 'node:crypto';

/** A function with its alias and versions, as the deployment's own calls see it. */
export interface PlayedFunction {
  live: string;
  readonly versions: readonly { readonly Version: string; readonly Description: string }[];
}

const PATH = /^\/2015-03-31\/functions\/([\w-]+)\/(aliases\/live|versions)$/;
/** So few that a list has more than one page. */
const PAGE = 2;

/** Lambda's HTTP API, for a signed request. Nothing where the request is for another service. */
export async function lambdaAnswer(
  functions: Map<string, PlayedFunction>,
  request: Request,
  text: string,
): Promise<Response | undefined> {
  const { pathname, searchParams } = new URL(request.url);
  const [, name = '', resource = ''] = PATH.exec(pathname) ?? [];
  if (resource === '') return undefined;
  if (!isSigned(request, text)) return new Response('The signature does not match.', { status: 403 });
  const found = functions.get(name);
  if (!found) return new Response('Function not found', { status: 404 });
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

/** AWS documentation, "Create a signed AWS API request": computed here once more, for the keys of the tests. */
function isSigned(request: Request, text: string): boolean {
  const { headers, method, url } = request;
  const authorization = headers.get('authorization') ?? '';
  const [, scope = '', signedHeaders = '', signature] =
    /Credential=local\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(authorization) ?? [];
  const [day = '', region = '', service = ''] = scope.split('/');
  const { pathname, searchParams } = new URL(url);
  const hash = (value: string) => createHash('sha256').update(value).digest('hex');
  const mac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest();
  const lines = signedHeaders.split(';').map((name) => `${name}:${headers.get(name)}\n`);
  const canonical = [method, pathname, String(searchParams), lines.join(''), signedHeaders, hash(text)];
  const toSign = ['AWS4-HMAC-SHA256', headers.get('x-amz-date'), scope, hash(canonical.join('\n'))];
  const key = [region, service, 'aws4_request'].reduce<Buffer>(mac, mac('AWS4local', day));
  return service === 'lambda' && mac(key, toSign.join('\n')).toString('hex') === signature;
}
