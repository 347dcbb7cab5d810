const MESSAGES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Insufficient credits',
  404: 'Not Found',
  429: 'Rate Limit Exceeded',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** An error answer of the specification's table "Errors". */
export class ApiError extends Error {
  readonly status: number;
  /** The table's third column. */
  readonly text: string;

  constructor(status: number, text: string) {
    super(text);
    this.name = 'ApiError';
    this.status = status;
    this.text = text;
  }
}

export const badRequest = (text: string) => new ApiError(400, text);
export const unauthorized = (text: string) => new ApiError(401, text);
export const insufficientCredits = () => new ApiError(402, 'Not sufficient credit available for request');
export const notFound = (text: string) => new ApiError(404, text);
export const rateLimited = () => new ApiError(429, 'Too many requests within the limit');

export interface ErrorBody {
  readonly statusCode: number;
  readonly message: string;
  readonly error: string;
}

export function errorBody({ status, text }: { readonly status: number; readonly text: string }): ErrorBody {
  return { statusCode: status, message: MESSAGES[status] ?? 'Error', error: text };
}
