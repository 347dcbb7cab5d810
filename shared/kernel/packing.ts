/** Turns a JSON value into a compact text for storage, and back. */
export interface Packing {
  pack(value: unknown): string;
  unpack(packed: string): unknown;
}
