import type { TreeFile } from './tree-files.ts';

/** Texts that no file may contain. They are written so that this file does not contain them. */
const UNWANTED: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\b(?:TO[D]O|FIX[M]E)\b/, 'is a promise; keep it or drop it'],
  [/https?:\/\/[^\s/"'`)]*(?:registry|artifactory|verdaccio|nexus)[^\s"'`)]*/, 'names a package registry'],
  [/(?:^|\s|--)registry\s*=\s*\S+/, 'sets a package registry'],
  [/(?:^|[\s"'`(=:])\/(?:work|root|home\/\w+|Users\/\w+)\/[^\s"'`)]*/, 'is a path of one machine'],
  [/https?:\/\/(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+/, 'is an address of one network'],
];

/** Finds postponed work, and facts that hold on only one machine. */
export function unwantedWords({ path, text }: TreeFile): string[] {
  return text.split('\n').flatMap((line, index) =>
    UNWANTED.flatMap(([pattern, why]) => {
      const found = pattern.exec(line)?.[0].trim();
      return found === undefined ? [] : [`${path}:${index + 1} "${found}" ${why}.`];
    }),
  );
}
