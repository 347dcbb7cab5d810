import { createHash, createHmac } from 'node:crypto';
import type { Digest } from './digest.ts';

/** 128 bits distinguish all inputs, and items that hold many hashes are half as large. */
const KEYED_CHARS = 32;

/** @param secret the installation secret, at least 16 characters. */
export function createDigest(secret: string): Digest {
  if (secret.length < 16) throw new Error('The installation secret must have at least 16 characters.');
  return {
    keyed: (text) => createHmac('sha256', secret).update(text, 'utf8').digest('hex').slice(0, KEYED_CHARS),
    sha256,
  };
}

/** The part of a digest that needs no secret. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
