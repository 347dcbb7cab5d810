import { MINUTE_MS } from '#shared/kernel';

type Handle = (request: Request) => Promise<Response>;

/**
 * A rate limiter with windows on the minutes of the clock, as many services use. It runs before a stand-in without a
 * limit, whose own fixed windows would begin with a request.
 */
export function withClockWindows(
  handle: Handle,
  { now, limit }: { now: () => number; limit: number },
): Handle {
  let minute = 0;
  let used = 0;
  return async (request) => {
    const current = Math.floor(now() / MINUTE_MS);
    if (current !== minute) used = 0;
    minute = current;
    const isAdmitted = used < limit;
    if (isAdmitted) used += 1;
    const report = {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(limit - used),
      'x-ratelimit-reset': String(((current + 1) * MINUTE_MS) / 1_000),
    };
    if (!isAdmitted) return refusal(new Headers({ ...report, date: new Date(now()).toUTCString() }));
    const response = await handle(request);
    const { status, headers } = response;
    return new Response(await response.text(), {
      status,
      headers: { ...Object.fromEntries(headers), ...report },
    });
  };
}

function refusal(headers: Headers): Response {
  const body = {
    statusCode: 429,
    message: 'Rate Limit Exceeded',
    error: 'Too many requests within the limit',
  };
  return Response.json(body, { status: 429, headers });
}
