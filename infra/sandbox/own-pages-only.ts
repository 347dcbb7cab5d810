import { hostNamed, isLoopback } from './host-name.ts';

/**
 * Refuses a request that a foreign web page caused. Returns `undefined` for all other requests. A foreign page can
 * point its own host name at this machine (DNS rebinding), which the Host header shows. Or it can send a form to this
 * server, which the Origin header shows.
 */
export function refusalOf({ headers }: Request, wish: { readonly writes: boolean }): Response | undefined {
  const host = headers.get('host');
  const named = hostNamed(host);
  // Requests within one process have no Host header.
  if (host !== null && !(named && isLoopback(named)))
    return refused(421, 'This stand-in answers on this machine only: use http://127.0.0.1 and its port.');
  const origin = headers.get('origin');
  const isOwn = origin !== null && named !== undefined && origin === named.origin;
  if (isOwn || (origin === null && !wish.writes)) return undefined;
  return refused(403, 'Only the pages of this stand-in may send this request.');
}

function refused(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
