import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '#shared/kernel';
import { makeFolder } from '../data-folder.ts';
import { settingsError } from '../settings-error.ts';
import { journalSchema, type RehearsalJournal } from './schemas.ts';

/** Storage of a rehearsal's journal: the records that it created, and its observations. */
export interface JournalPlace {
  read(): RehearsalJournal | undefined;
  write(journal: RehearsalJournal): void;
  remove(): void;
}

/** Folder of the journal. */
export function journalFolder(dataFolder: string): string {
  return join(dataFolder, 'rehearsal');
}

/** Writes the journal before the next request is sent, so that it names every record even after a crash. */
export function journalFile(dataFolder: string): JournalPlace {
  const file = join(journalFolder(dataFolder), 'hubspot.json');
  return {
    read: () => {
      const text = readIfThere(file);
      if (text === undefined) return undefined;
      const { data: journal } = journalSchema.safeParse(parseJson(text));
      if (journal !== undefined) return journal;
      throw settingsError('journal-damaged', { file });
    },
    write: (journal) => {
      makeFolder(journalFolder(dataFolder));
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

/** Keeps the journal in memory, for a rehearsal on its own stand-in, which ends with the process. */
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
