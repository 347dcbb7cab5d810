/** The part of a zod schema that this module uses. */
interface Schema<T> {
  safeParse(values: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      };
}

/** Parses the environment variables. @throws Error with the name of each missing or wrong variable, without its value. */
export function readEnvironment<T>(
  schema: Schema<T>,
  values: Readonly<Record<string, string | undefined>>,
): T {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path: [name = ''], message }) => {
    const variable = String(name);
    return `${variable} ${values[variable] === undefined ? 'is missing' : `is wrong (${message})`}`;
  });
  throw new Error(`Environment variables: ${problems.join(', ')}.`);
}
