/** Digests for keys and chains; hex, lower case. An argument, so that pure code needs no crypto module. */
export interface Digest {
  /** HMAC-SHA256 under the installation secret: equal inputs are recognised, contents cannot be guessed back. */
  keyed(text: string): string;
  /** Plain SHA-256, for chains whose contents are public to their reader. */
  sha256(text: string): string;
}
