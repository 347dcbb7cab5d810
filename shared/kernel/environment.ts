/** As much of a zod schema as is needed here. */
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

/** The environment variables, checked. @throws Error that names each one that is missing or wrong, not its value. */
export function readEnvironment<T>(
  schema: Schema<T>,
  values: Readonly<Record<string, string | undefined>>,
): T {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path: [name = ''], message }) => {
    const variable = String(name);
    return `${variable} ${values[variable] === undefined ? 'is missing' : `is wrong (${message})`}`;
  });
  throw new Error(`Environment variables: ${wrong.join(', ')}.`);
}
