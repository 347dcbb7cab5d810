/** Converts a JSON value to a compact text for storage, and back. */
export interface Packing {
  pack(value: unknown): string;
  unpack(packed: string): unknown;
}
