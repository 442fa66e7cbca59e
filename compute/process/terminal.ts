import { format } from 'node:util';

/** Characters that speak to a terminal, or turn the direction of what follows. */
const CONTROLS = /[\p{Cc}\u2028\u2029]|\p{Bidi_Control}/gu;
/** The same but for what makes lines and columns; a return alone would write over its line. */
const CONTROLS_IN_LINES = /(?![\n\t]|\r\n)[\p{Cc}]|\p{Bidi_Control}/gu;

const byNumber = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text of others in one line: a control character would speak to the terminal, or look like a line of ours. */
export const printable = (text: string): string => text.replace(CONTROLS, byNumber);

const printableLines = (text: string): string => text.replace(CONTROLS_IN_LINES, byNumber);

/**
 * Has all that this process prints show control characters by their numbers: whatever a server or a model
 * says, it is read and not obeyed. Bytes go out as they are, unless it is a terminal that they go to. What
 * is written to standard error directly, as bars of progress are, is left alone.
 */
export function guardTerminal(): void {
  const { stdout } = process;
  const write = stdout.write.bind(stdout) as (...args: unknown[]) => boolean;
  const decoder = new TextDecoder();
  const shown = (chunk: unknown) => {
    if (typeof chunk === 'string') return printableLines(chunk);
    if (!stdout.isTTY || !(chunk instanceof Uint8Array)) return chunk;
    return printableLines(decoder.decode(chunk, { stream: true }));
  };
  stdout.write = (chunk: unknown, ...rest: unknown[]) => write(shown(chunk), ...rest);
  for (const method of ['error', 'warn'] as const) {
    const print = console[method].bind(console);
    console[method] = (...args: unknown[]) => print('%s', printableLines(format(...args)));
  }
}
