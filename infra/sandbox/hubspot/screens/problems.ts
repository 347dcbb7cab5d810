import { ApiError } from '../door/api-error.ts';

/** Reasons why a value was refused, for a person. @throws the error itself if it is of another kind. */
export function problemsOf(error: unknown): readonly string[] {
  if (!(error instanceof ApiError)) throw error;
  const { errors, message } = error.failure;
  return errors?.map((each) => each.message) ?? [message];
}
