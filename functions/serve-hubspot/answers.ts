import type { GatewayResult } from '#shared/lambda';

export function json(statusCode: number, body: object): GatewayResult {
  return {
    statusCode,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}

/** `reason` is a word from a fixed list. */
export function refusal(statusCode: number, reason: string): GatewayResult {
  return json(statusCode, { refused: reason });
}
