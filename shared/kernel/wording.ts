/** An operator's command in a text. How the command is written depends on the installation that the text is about. */
export interface OperatorCommand {
  readonly command: string;
}

/** A text for a person, which may contain commands. */
export type Wording = string | readonly (string | OperatorCommand)[];

/** @param words without the program's name and without `--stack`, such as `doubts list` */
export function command(words: string): OperatorCommand {
  return { command: words };
}

/**
 * Template tag: `wording\`Settle the doubt with ${command('doubts resolve')}.\``. A wording can contain another
 * wording.
 */
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

/** @param stack the stack of the installation that the text is about; absent for the installation on this machine */
export function wordingText(text: Wording, stack: string | undefined): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : commandText(part.command, stack))).join('');
}

/** Returns a command as a person types it. Without `--stack`, it would run for the installation on this machine. */
export function commandText(words: string, stack: string | undefined): string {
  return stack === undefined ? words : `${words} --stack ${stack}`;
}
