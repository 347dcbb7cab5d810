/** Creates an id that is unique over all calls and processes. */
export type NewId = () => string;

/** A source of numbers in [0, 1). */
export type Random = () => number;

/** Mulberry32: the same sequence for the same seed. Not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Digests for keys and chains, as lower-case hex. This is a port, so that pure code needs no crypto module. */
export interface Digest {
  /**
   * HMAC-SHA256 under the installation secret, cut to 128 bits. Equal inputs have equal hashes, and an input cannot
   * be guessed from its hash.
   */
  keyed(text: string): string;
  /** Plain SHA-256, for chains whose readers know the contents. */
  sha256(text: string): string;
}

/** Converts a JSON value to a compact text for storage, and back. */
export interface Packing {
  pack(value: unknown): string;
  unpack(packed: string): unknown;
}
