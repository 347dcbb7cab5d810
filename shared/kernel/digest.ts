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
