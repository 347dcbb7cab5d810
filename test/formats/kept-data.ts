import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { openDataFolder } from '../../infra/local/data-folder.ts';
import { startEmbeddedAws } from '../../infra/local/embedded-aws.ts';
import { TABLES } from '../../infra/local/tables.ts';

type Item = Readonly<Record<string, unknown>>;

/** A data folder as some version left it: the state beside the tables, and every item as it was stored. */
export interface KeptData {
  readonly state: Readonly<Record<string, unknown>>;
  readonly tables: Readonly<Record<string, readonly Item[]>>;
}

/** @param path of `.data/sandbox`, with nobody at work in it. */
export async function readDataFolder(path: string): Promise<KeptData> {
  const state = JSON.parse(await readFile(join(path, 'state.json'), 'utf8')) as KeptData['state'];
  const aws = await startEmbeddedAws({ folder: join(path, String(state['tables'])) });
  const tables: Record<string, Item[]> = {};
  for (const TableName of Object.values(TABLES)) {
    tables[TableName] = [];
    for await (const { Items = [] } of paginateScan({ client: aws.dynamo }, { TableName }))
      tables[TableName].push(...Items);
  }
  await aws.close();
  return { state, tables };
}

/** Puts it into a folder that does not exist yet. */
export async function writeDataFolder(path: string, { state, tables }: KeptData): Promise<void> {
  const folder = await openDataFolder({ path, fresh: false, nowMs: 0 });
  const aws = await startEmbeddedAws({ folder: folder.tables });
  for (const [TableName, items] of Object.entries(tables))
    for (const Item of items) await aws.dynamo.send(new PutCommand({ TableName, Item }));
  await aws.close();
  await writeFile(join(path, 'state.json'), JSON.stringify({ ...state, tables: folder.saved.tables }));
}

export async function readKept(file: string): Promise<KeptData> {
  return JSON.parse(gunzipSync(await readFile(file)).toString('utf8')) as KeptData;
}

export async function writeKept(file: string, data: KeptData): Promise<void> {
  await writeFile(file, gzipSync(JSON.stringify(data), { level: 9 }), { flag: 'wx' });
}
