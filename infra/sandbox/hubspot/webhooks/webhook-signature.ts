import { createHash, createHmac } from 'node:crypto';

/** The only escapes that HubSpot decodes before it signs an address. */
const DECODED: Readonly<Record<string, string>> = {
  '%3A': ':',
  '%2F': '/',
  '%3F': '?',
  '%40': '@',
  '%21': '!',
  '%24': '$',
  '%27': "'",
  '%28': '(',
  '%29': ')',
  '%2A': '*',
  '%2C': ',',
  '%3B': ';',
};

export interface Signed {
  readonly secret: string;
  readonly method: string;
  /** Scheme, host, path and query as configured. */
  readonly url: string;
  readonly body: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

/** `X-HubSpot-Signature-v3`: base64 of the HMAC-SHA256 of method, address, body and timestamp, without separators. */
export function signV3({ secret, method, url, body, timestamp }: Signed): string {
  const uri = url.replace(/%[0-9a-f]{2}/gi, (code) => DECODED[code.toUpperCase()] ?? code);
  return createHmac('sha256', secret).update(`${method}${uri}${body}${timestamp}`, 'utf8').digest('base64');
}

/** `X-HubSpot-Signature` of version 1: SHA-256 of secret and body, in hex. */
export function signV1({ secret, body }: Pick<Signed, 'secret' | 'body'>): string {
  return createHash('sha256').update(`${secret}${body}`, 'utf8').digest('hex');
}
