const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

type TextWithLine = readonly [line: number, text: string];

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

/** Literals of at least two words, with their lines. Comments are blanked first. */
export function literalsOf(text: string): readonly TextWithLine[] {
  const code = text.replaceAll(COMMENT, blank);
  const literals = code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g);
  return [...literals].flatMap(({ 0: literal, index }) =>
    literal.includes(' ') ? [[code.slice(0, index).split('\n').length, literal] as const] : [],
  );
}
