/** Why there was no connection, in words: the transport's error has it in its causes, by the codes of Node. */
export function connectionCause(error: Error): string {
  const codes = causesOf(error).flatMap((each) =>
    'code' in each && typeof each.code === 'string' && !each.code.includes('NOT_SENT') ? [each.code] : [],
  );
  const known = WORDS.find(([pattern]) => codes.some((code) => pattern.test(code)));
  return known?.[1] ?? codes.at(-1) ?? 'for a reason that the network does not tell';
}

const WORDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens there'],
  [/^(?:ENOTFOUND|EAI_)/, 'its name does not resolve'],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|HTTP_TIMEOUT)$/, 'no connection in time'],
  [/^(?:EHOSTUNREACH|ENETUNREACH)$/, 'there is no way to it'],
  [/CERT|SELF_SIGNED|UNABLE_TO/, 'its certificate is not accepted'],
  [/SSL|^EPROTO$/, 'it does not speak TLS'],
];

function causesOf(error: Error): Error[] {
  return error.cause instanceof Error ? [error, ...causesOf(error.cause)] : [error];
}
