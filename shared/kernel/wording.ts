/** A command of the operator within a text. It becomes words only when it is known which installation the text is about. */
export interface OperatorCommand {
  readonly command: string;
}

/** A text for a person that may name commands. */
export type Wording = string | readonly (string | OperatorCommand)[];

/** @param words without the program's name and without `--stack`, such as `doubts list` */
export function command(words: string): OperatorCommand {
  return { command: words };
}

/** A template tag: `wording\`Settle it with ${command('doubts resolve')}.\``. A wording may stand in another one. */
export function wording(
  texts: TemplateStringsArray,
  ...parts: readonly (Wording | OperatorCommand | number)[]
): Wording {
  return texts.flatMap((text, index) => {
    const part = parts[index];
    if (part === undefined) return [text];
    if (typeof part === 'object') return [text, ...('command' in part ? [part] : part)];
    return [text, String(part)];
  });
}

/** @param stack of the installation that the text is about; absent for the one on this machine */
export function wordingText(text: Wording, stack: string | undefined): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : commandText(part.command, stack))).join('');
}

/** A command as a person types it: without its stack it would look at this machine. */
export function commandText(words: string, stack: string | undefined): string {
  return stack === undefined ? words : `${words} --stack ${stack}`;
}
