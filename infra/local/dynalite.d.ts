/** Declares the part of dynalite 4 that is used here, because dynalite ships no types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  export default function dynalite(options: {
    /** Folder of the LevelDB store. Without it, the store is in memory. */
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
    updateTableMs?: number;
  }): Server;
}
