import { longSentences } from '../docs/documents.ts';
import { literalsOf } from './program-texts.ts';
import type { TreeFile } from './tree-files.ts';

/** Word lists, a help page and SQL, which are not sentences. */
const LISTS =
  /^(?:infra\/sandbox\/|shared\/identity\/|infra\/local\/settings\.ts$|shared\/store\/items\.sqlite\.ts$)/;
const PROGRAM = /^(?:functions|infra|shared)\/.*\.tsx?$/;

/** Messages with a sentence of more than 25 words. */
export function longMessages({ path, text }: TreeFile): string[] {
  if (!PROGRAM.test(path) || LISTS.test(path)) return [];
  return literalsOf(text).flatMap(([line, literal]) =>
    longSentences(proseOf(literal)).map(
      (sentence) =>
        `${path}:${line} has a sentence of more than 25 words: make two. "${sentence.trim().slice(0, 60)}..."`,
    ),
  );
}

/** An expression of a template counts as one word; a tag ends a sentence. */
function proseOf(literal: string): string {
  return literal
    .slice(1, -1)
    .replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, 'value')
    .replaceAll(/<[^>]*>/g, '\n\n');
}
