import type { Portal } from '../portal.ts';

export function countRequest(
  portal: Portal,
  { method, path, status }: { method: string; path: string; status: number },
): void {
  const known = portal.state.requests.find(
    (one) => one.method === method && one.path === path && one.status === status,
  );
  if (known) known.count += 1;
  else portal.state.requests.push({ method, path, status, count: 1 });
}

/** Report of all requests so far. `writes` has only the app's successful writes. `webhooks` counts events. */
export function requestReport({ state }: Portal): Record<string, unknown> {
  return {
    total: state.requests.reduce((sum, one) => sum + one.count, 0),
    requests: state.requests,
    recordWrites: state.writes.records,
    propertyWrites: state.writes.properties,
    webhooks: { ...state.webhooks, pending: state.pendingEvents.length },
  };
}
