import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseJson } from '#shared/kernel';
import { makeFolder } from '../make-folder.ts';
import { SettingsError } from '../settings.ts';
import { type AwsJournal, awsJournalSchema, journalSchema, type RehearsalJournal } from './schemas.ts';

/** Storage of a rehearsal's journal: the records or stack that it created, and its observations. */
export interface JournalPlace<Journal = RehearsalJournal> {
  read(): Journal | undefined;
  write(journal: Journal): void;
  remove(): void;
}

/** Folder of the journals. */
export function journalFolder(dataFolder: string): string {
  return join(dataFolder, 'rehearsal');
}

export function journalFile(dataFolder: string): JournalPlace {
  return placeAt(join(journalFolder(dataFolder), 'hubspot.json'), {
    parse: (json) => journalSchema.safeParse(json).data,
    advice: 'delete it, then run rehearse clean, which finds the records by their mark',
  });
}

export function awsJournalFile(dataFolder: string): JournalPlace<AwsJournal> {
  return placeAt(join(journalFolder(dataFolder), 'aws.json'), {
    parse: (json) => awsJournalSchema.safeParse(json).data,
    advice:
      'delete the stacks whose names start with crm-rehearsal- (npm run destroy -- -c stackName=NAME --with-data), then the file',
  });
}

/** Writes the journal before the next request is sent, so that it names every record or stack even after a crash. */
function placeAt<Journal>(
  file: string,
  { parse, advice }: { readonly parse: (json: unknown) => Journal | undefined; readonly advice: string },
): JournalPlace<Journal> {
  return {
    read: () => {
      const text = readIfThere(file);
      if (text === undefined) return undefined;
      const journal = parse(parseJson(text));
      if (journal !== undefined) return journal;
      throw new SettingsError(`${file} is damaged: ${advice}.`);
    },
    write: (journal) => {
      makeFolder(dirname(file));
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
export function journalInMemory<Journal = RehearsalJournal>(): JournalPlace<Journal> {
  let journal: Journal | undefined;
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
