import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseJson } from '#shared/kernel';
import { SettingsError } from '../settings.ts';
import { journalSchema, type RehearsalJournal } from './schemas.ts';

/** Where a rehearsal notes what it made and what it has seen. */
export interface JournalPlace {
  read(): RehearsalJournal | undefined;
  write(journal: RehearsalJournal): void;
  remove(): void;
}

/** Written before the next request leaves, so that a crash never leaves an unknown record. */
export function journalFile(dataFolder: string): JournalPlace {
  const file = join(dataFolder, 'rehearsal', 'hubspot.json');
  return {
    read: () => {
      const text = readIfThere(file);
      if (text === undefined) return undefined;
      const parsed = journalSchema.safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      throw new SettingsError(
        `${file} is damaged: delete it, then run rehearse clean, which finds the records by their mark.`,
      );
    },
    write: (journal) => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, JSON.stringify(journal), { mode: 0o600, flush: true });
      renameSync(`${file}.new`, file);
    },
    remove: () => rmSync(file, { force: true }),
  };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** For a rehearsal against a stand-in of its own, which ends with the process. */
export function journalInMemory(): JournalPlace {
  let journal: RehearsalJournal | undefined;
  return {
    read: () => journal,
    write: (next) => {
      journal = next;
    },
    remove: () => {
      journal = undefined;
    },
  };
}
