/** Maximum length of a wording that is kept. */
const MAX_CHARS = 60;

/** Usual words of such sentences. They are not personal data. */
const PLAIN_WORDS = new Set(
  (
    'a about an and any are as at available be been by can cannot could criteria current currently data database did do ' +
    'does email employee employees entries entry error exist exists failed find for found from given has have in ' +
    'information input insufficient invalid is it its lookup match matched matches matching missing no none not nothing ' +
    'of on or organization our parameter parameters people person phone please profile profiles provided query record ' +
    'records request requested result results returned search sorry specified such supplied sufficient that the there ' +
    'this to try unable unavailable unknown url was we were with yet you your company companies contact contacts domain'
  ).split(' '),
);

/**
 * Returns the words of a miss that may be kept. Only plain words are kept, because a vendor can quote the question. An
 * ellipsis replaces other words.
 */
export function plainWordsOf(vendorText: string): string {
  const words = vendorText.split(/[^\p{L}\p{N}@._%+/:-]+/u).filter((word) => word !== '');
  const plain = words.map((word) => {
    const bare = word.replace(/[.:]$/, '');
    return PLAIN_WORDS.has(bare.toLowerCase()) ? bare : '…';
  });
  return plain
    .join(' ')
    .replaceAll(/…(?: …)+/g, '…')
    .slice(0, MAX_CHARS);
}
