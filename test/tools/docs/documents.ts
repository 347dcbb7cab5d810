import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTree } from '../style/tree-files.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** A Markdown file of the project, named by its path from the root. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

export function readDocument(path: string): Document {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

/** Finds every Markdown file of the project. */
export function allDocuments(): readonly Document[] {
  return readTree(ROOT, /\.md$/);
}

/**
 * Lists the links of a document to files and headings that do not exist. Does not visit other hosts.
 * @param read reads the linked document; throws if it does not exist
 */
export function brokenLinks({ path, text }: Document, read = readDocument): readonly string[] {
  const prose = text.replaceAll(/^ *```.*?^ *```/gms, '').replaceAll(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^(?:https?|mailto):/.test(target) && !leadsSomewhere(target));

  function leadsSomewhere(target: string): boolean {
    const [file = '', heading] = target.split('#');
    const linked = file === '' ? path : join(dirname(path), file);
    try {
      if (heading !== undefined) return headingsOf(read(linked).text).includes(heading);
      return statSync(join(ROOT, linked)) !== undefined;
    } catch {
      return false;
    }
  }
}

/** Makes anchors of headings as GitHub does. */
function headingsOf(text: string): readonly string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Finds sentences of more than 25 words, outside tables and code. */
export function longSentences(text: string): readonly string[] {
  const prose = text
    .replaceAll(/^ *```.*?^ *```/gms, '')
    .replaceAll(/^\|.*$/gm, '')
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/\]\([^)]*\)/g, ']');
  const sentences = prose.split(/(?<=[.?!:;](?:\*\*)?)\s+|\n\n|\n *(?:\d+\.|-) /);
  return sentences.filter((sentence) => sentence.trim().split(/\s+/).length > 25);
}
