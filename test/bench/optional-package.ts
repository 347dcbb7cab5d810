/** A package that only a comparison needs; `undefined` where it is not installed. */
export async function ifInstalled<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (isMissing) return undefined;
    throw error;
  }
}

export function notInstalled(name: string): string {
  return `${name} is not installed, so its row is left out.`;
}
