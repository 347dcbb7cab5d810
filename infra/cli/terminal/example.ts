/** How a command of ours is begun: from the sources, or as the compiled program of an installed package. */
const INVOCATION = import.meta.url.endsWith('.ts') ? 'npm run -s cli --' : 'npx crm-enrichment';

/** The end of a command's help. */
export function example(words: string): string {
  return `\nExample:\n  ${INVOCATION} ${words}`;
}
