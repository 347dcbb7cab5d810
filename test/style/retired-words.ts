import { commentsOf, literalsOf } from './program-texts.ts';
import type { TreeFile } from './tree-files.ts';

/** Words that are hard to understand, and their replacements. */
const RETIRED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bwhoever\b/i, 'name the role: a person, a workflow, the sweep'],
  [/\bsomebody\b/i, 'name the role: a person, another app'],
  [/\b[Nn]obody\b(?!\.)/, 'name the role, or say "not ... yet"'],
  [/\bput off\b/i, 'postponed'],
  [/\b(?:is|are|was|were) in turn\b|\brecords? in turn\b/i, 'queued'],
  [/\basked about\b/i, 'looked up'],
  [/\bup for review\b/i, 'needs review'],
  [/\blets? in\b/i, 'admitted, started'],
  [/\bforetold\b/i, 'estimated, quoted'],
  [/\banew\b/i, 'again'],
  [/\b(?:is|are) held (?:of|here|under)\b/i, 'stored, kept'],
  [/\bmend\b/i, 'correct, repair'],
  [/\blook-ups?\b/i, 'lookup'],
  [/\btried again\b/i, 'retried'],
  [/\bin hand\b/i, 'in progress'],
  [/\b(?:goes|went) on\b/i, 'continues'],
  [/\bwhat waits\b|\bwho waits\b/i, 'waiting records'],
  [/\b1 (?:minutes|hours|days|records|credits|runs|values)\b/, 'the singular'],
];

/** Files that consist of sentences for readers. */
const DOCUMENT =
  /^(?:README|ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|^(?:docs|infra|shared)\/.*\.md$/;
/** A list of mailbox names, not a text. */
const WORD_LIST = 'shared/identity/shared-addresses.ts';
const PROGRAM = /^(?:functions|infra|shared)\/.*\.(?:tsx?|json)$/;

/** Finds retired words in documents, and in the program's comments and literals of more than one word. */
export function retiredWords({ path, text }: TreeFile): string[] {
  if (path === WORD_LIST) return [];
  const texts = DOCUMENT.test(path)
    ? [[1, text] as const]
    : PROGRAM.test(path)
      ? [...commentsOf(text), ...literalsOf(text)]
      : [];
  return texts.flatMap(([line, each]) =>
    RETIRED.flatMap(([pattern, instead]) =>
      [...each.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(({ 0: found, index }) => {
        const at = line + each.slice(0, index).split('\n').length - 1;
        return `${path}:${at} "${found}" is retired; say: ${instead}.`;
      }),
    ),
  );
}
