/** Does what is said, and counts how it ended: it fails by an error. */
export type Check = (name: string, look: () => Promise<void>) => Promise<void>;

export function createChecks(write: (line: string) => void) {
  const counts = { passed: 0, failed: 0 };
  const check: Check = async (name, look) => {
    try {
      await look();
      counts.passed += 1;
      write(`holds  ${name}`);
    } catch (error) {
      counts.failed += 1;
      const message = error instanceof Error ? error.message : String(error);
      write(`BROKEN ${name}: ${message.split('\n', 1)[0]}`);
    }
  };
  return { check, counts };
}
