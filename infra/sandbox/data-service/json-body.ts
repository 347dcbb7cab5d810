import { badRequest } from './errors.ts';

/** @returns `undefined` for an empty body. @throws ApiError 400 */
export async function readJson(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest('Request body must be valid JSON');
    throw error;
  }
}
