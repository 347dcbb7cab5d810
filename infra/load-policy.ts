import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The policy of the laptop, the command line and the deployment, unless another file is named. Compiled, it lies beside us too. */
export const POLICY_FILE = fileURLToPath(new URL(`./policy${extname(import.meta.url)}`, import.meta.url));

/**
 * What a policy file exports: code of ours, checked by the compiler before and by its schema afterwards.
 * @param file absolute.
 * @throws Error that tells why it cannot be loaded.
 */
export async function loadPolicy(file: string): Promise<unknown> {
  const { default: policy }: { default?: unknown } = await import(pathToFileURL(file).href);
  if (policy === undefined) throw new Error('it has no default export');
  return policy;
}
