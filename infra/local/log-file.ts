import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Logger } from '#shared/kernel';
import { createJsonLogger } from '#shared/kernel/adapters';

export interface LogFile {
  readonly file: string;
  readonly logger: Logger;
  close(): Promise<void>;
}

/** Opens the log of a data folder, which several processes continue. */
export function openLog(path: string, clock: Clock): LogFile {
  const file = join(path, 'log.jsonl');
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  return {
    file,
    logger: createJsonLogger(clock, (line) => stream.write(`${line}\n`)),
    close: () => new Promise<void>((resolve) => stream.end(resolve)),
  };
}
