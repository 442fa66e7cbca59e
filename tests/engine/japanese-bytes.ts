/** Bytes of each character in an encoding, found by decoding every sequence there is. */
function tableOf(encoding: 'shift_jis' | 'euc-jp'): ReadonlyMap<string, Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, Uint8Array>();
  const add = (...bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && text !== '\u{FFFD}' && !table.has(text)) {
      table.set(text, Uint8Array.from(bytes));
    }
  };
  for (let lead = 0; lead < 0x100; lead++) add(lead);
  for (let lead = 0x81; lead < 0xf5; lead++) {
    for (let trail = 0x40; trail < 0xff; trail++) add(lead, trail);
  }
  return table;
}

/** An encoder for texts of characters that the encoding has in one or two bytes. */
export function japaneseEncoder(encoding: 'shift_jis' | 'euc-jp'): (text: string) => Uint8Array {
  const table = tableOf(encoding);
  return (text) =>
    Uint8Array.from(
      Array.from(text).flatMap((character) => {
        const bytes = table.get(character);
        if (!bytes) throw new Error(`${encoding} has no ${character}`);
        return [...bytes];
      }),
    );
}

export async function readAll(pieces: AsyncIterable<string>): Promise<string> {
  let all = '';
  for await (const piece of pieces) all += piece;
  return all;
}
