/** Digests for keys and chains; hex, lower case. A port, so that pure code needs no crypto module. */
export interface Digest {
  /** HMAC-SHA256 under the installation secret. Equal inputs have equal hashes, and inputs cannot be guessed from them. */
  keyed(text: string): string;
  /** Plain SHA-256, for chains whose readers know the contents. */
  sha256(text: string): string;
}
