/** The end of a command's help. */
export function example(words: string): string {
  return `\nExample:\n  npm run cli -- ${words}`;
}
