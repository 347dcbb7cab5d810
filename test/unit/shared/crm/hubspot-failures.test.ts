import { expect, it } from 'vitest';
import { HUBSPOT_ERRORS } from '#inside/hubspot/error-codes.ts';
import { hubSpotFailureKind, isHubSpotFailure } from '#shared/crm';
import type { HttpErrorCode } from '#shared/http';
import { UpstreamError } from '#shared/kernel';

const TRANSPORT: Readonly<Record<HttpErrorCode, true>> = {
  HTTP_NOT_SENT: true,
  HTTP_TIMEOUT: true,
  HTTP_CONNECTION_LOST: true,
  HTTP_ABORTED: true,
  HTTP_RESPONSE_TOO_LARGE: true,
};

it.each(Object.keys({ ...HUBSPOT_ERRORS, ...TRANSPORT }))('%s has a kind of failure', (code) => {
  expect(hubSpotFailureKind(code)).toBeDefined();
});

it.each(Object.entries(HUBSPOT_ERRORS))('%s is refused for one cause in client and port', (code, row) => {
  const kind = hubSpotFailureKind(code);
  expect(row.refused).toBe(kind === 'scope' || kind === 'request' ? kind : undefined);
});

it('a code that only begins like one of HubSpot is none', () => {
  const error = new UpstreamError({ code: 'HUBSPOT_OTHER', message: '', retryable: true });
  expect(isHubSpotFailure(error)).toBe(false);
});
