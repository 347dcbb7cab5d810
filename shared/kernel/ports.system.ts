import { createHash, createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Digest, NewId, Packing, Random } from './ports.ts';
import type { Clock } from './time.ts';

export const systemIds: NewId = () => randomUUID();

export const systemRandom: Random = () => Math.random();

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

/** Level 5, because records have a few kilobytes, and higher levels cost more time than they save in storage. */
const OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Packs with Brotli, as base64. */
export const brotliPacking: Packing = {
  pack: (value) => brotliCompressSync(JSON.stringify(value), OPTIONS).toString('base64'),
  unpack: (packed) => JSON.parse(brotliDecompressSync(Buffer.from(packed, 'base64')).toString('utf8')),
};

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await sleep(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};
