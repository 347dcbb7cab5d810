import type { TreeFile } from './tree-files.ts';

const GROUPS: Readonly<Record<string, string>> = {
  backfill: 'quote|run|status|pause|resume|stop|list',
  doubts: 'list|resolve',
  ledger: 'verify|export|grant|reconcile|set-back',
  policy: 'check|compare|apply',
  queue: 'status|requeue|admit',
  review: 'list|export|accept|reject|claims',
  runs: 'verify',
  spend: 'charges|stop|resume',
};
const NAMES = Object.entries(GROUPS).map(([group, words]) => `${group} (?:${words})`);
const SINGLE = '(?:undo|probe|explain|statement|enrich|refresh|setup|doctor) (?:--[a-z]+|\\$\\{|contacts/)';
const HINT = new RegExp(`(?<![\\w/-])(?:${NAMES.join('|')}|${SINGLE})\\b|npm run -s cli -- \\w+`, 'g');

/** These files describe the program itself, so a command in them is a word, not advice. */
const HELP = /\b(?:about|examples?|description|[oO]ption|[aA]rgument|usageError)\b/;
const AS_DATA = /\bcommand(?:|Text|Code|For)\((?:\w+, )?['`]$/;
/** Contents of a file are checked without an installation. */
const WITHOUT_INSTALLATION = /^ledger verify ledger\.jsonl/;

/**
 * Finds texts that spell out a command. A command in a text has to be data, because only a renderer knows the stack.
 * Texts that spell out `--stack` are complete.
 */
export function bareCommands({ path, text }: TreeFile): readonly string[] {
  if (!/^(?:functions|shared|infra\/(?:cli|local|aws))\/.*\.ts$/.test(path)) return [];
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(?:\/?\*|\/\/)/.test(line) || HELP.test(line)) return [];
    const code = line.replace(/ \/\/ .*$/, '');
    return [...code.matchAll(HINT)]
      .filter(({ index: at, 0: found }) => {
        const isText = /['"`>]/.test(code.slice(0, at));
        const rest = code.slice(at);
        const isWhole = rest.includes(' --stack ') || /cli -- \$\{command/.test(rest);
        return (
          isText && !isWhole && !AS_DATA.test(code.slice(0, at)) && !WITHOUT_INSTALLATION.test(rest) && found
        );
      })
      .map(({ 0: found }) => `${path}:${index + 1} names "${found}" in a text: use command() of wording.ts`);
  });
}
