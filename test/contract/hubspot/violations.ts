import type { HttpRequest, HttpResponse, Send } from '#shared/http';
import { SHAPES, type Shape } from './schemas.ts';

export interface CheckedSend {
  readonly send: Send;
  /** Names of the shapes that were met. */
  readonly met: Set<string>;
  /** What HubSpot documents nothing of; names keys and paths, not values. */
  readonly violations: string[];
}

/** Holds every request to HubSpot, and its answer, against the shapes. What goes elsewhere is let by. */
export function checkedSend(send: Send, host: string): CheckedSend {
  const met = new Set<string>();
  const violations: string[] = [];
  const checked: Send = async (request) => {
    const url = new URL(request.url);
    if (url.host !== host) return send(request);
    const shape = SHAPES.find(({ method, path }) => method === request.method && path.test(url.pathname));
    if (!shape) violations.push(`${request.method} ${url.pathname} is in no document`);
    else met.add(shape.name);
    violations.push(...(shape ? requestFaults(shape, { request, url }) : []));
    const response = await send(request);
    violations.push(...(shape ? answerFaults(shape, response) : []));
    return response;
  };
  return { send: checked, met, violations };
}

function requestFaults(shape: Shape, { request, url }: { request: HttpRequest; url: URL }): string[] {
  const strange = [...url.searchParams.keys()].filter((key) => !shape.query.includes(key));
  const query = strange.map((key) => `${shape.name}: there is no query parameter ${key}`);
  if (!shape.body)
    return request.body === undefined ? query : [...query, `${shape.name}: there is no body of a request`];
  return [...query, ...faultsIn(`${shape.name}: the request's`, shape.body, request.body)];
}

function answerFaults(shape: Shape, { status, body }: HttpResponse): string[] {
  const expected = shape.answers[status];
  if (!expected) return [`${shape.name}: the status ${status} is not documented`];
  return faultsIn(`${shape.name}: the ${status}'s`, expected, body);
}

function faultsIn(what: string, schema: NonNullable<Shape['body']>, text: string | undefined): string[] {
  const result = schema.safeParse(JSON.parse(text ?? 'null'));
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${what} ${path.join('.')}: ${message}`);
}
