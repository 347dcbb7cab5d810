import type { TreeFile } from './tree-files.ts';

/** `store.dynamo.ts`, `work-queue`, and files that start with a dot. */
const KEBAB = /^\.?[a-z0-9]+(?:[-.][a-z0-9]+)*$/;
/** Documents with conventional names. */
const CAPITAL_DOCUMENT = /^[A-Z]+(?:\.md)?$/;
/** Words that say nothing about a file's content. */
const EMPTY_WORD = /^(?:util(?:s|ity|ities)?|helpers?|managers?)$/;

/** Checks that files and folders are in kebab case and named after their content. Biome checks only code files. */
export function badNames({ path }: TreeFile): string[] {
  const segments = path.split('/').filter((name) => !KEBAB.test(name) && !CAPITAL_DOCUMENT.test(name));
  const words = path.split(/[-./]/).filter((word) => EMPTY_WORD.test(word));
  return [
    ...segments.map((segment) => `${path}: "${segment}" is not in kebab case: rename it like-this.`),
    ...words.map(
      (word) =>
        `${path}: "${word}" says nothing about the content: name the file by the noun that it is about.`,
    ),
  ];
}
