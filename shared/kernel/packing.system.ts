import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Packing } from './packing.ts';

/** Level 5, because records have a few kilobytes, and higher levels cost more time than they save in storage. */
const OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Packs with Brotli, as base64. */
export const brotliPacking: Packing = {
  pack: (value) => brotliCompressSync(JSON.stringify(value), OPTIONS).toString('base64'),
  unpack: (packed) => JSON.parse(brotliDecompressSync(Buffer.from(packed, 'base64')).toString('utf8')),
};
