/** How many bytes the next character takes, as its first ones tell; 0 when they start none. */
type SequenceRule = (lead: number, trail: (place: number) => number) => number;

const within = (byte: number, low: number, high: number) => byte >= low && byte <= high;
/** What `trail` gives beyond the end of a piece. */
const UNKNOWN = -1;
/** Bytes of the longest character in any of the encodings. */
const LONGEST = 4;

/** Tells well-formed sequences from others and counts characters that are common in Japanese. */
export class SequenceCounter {
  /** Characters beyond ASCII. */
  characters = 0;
  /** Of them, those that nearly every Japanese text is full of: kana and punctuation. */
  common = 0;
  /** Offset of the first sequence that is none in this encoding. */
  failedAt: number | undefined;
  readonly #rule: SequenceRule;
  readonly #isCommon: (lead: number, trail: number) => boolean;
  #rest = new Uint8Array(0);
  #offset = 0;

  constructor(rule: SequenceRule, isCommon: (lead: number, trail: number) => boolean) {
    this.#rule = rule;
    this.#isCommon = isCommon;
  }

  /** The next bytes of the text; `isLast` says that none come after them. */
  take(piece: Uint8Array, isLast: boolean): void {
    if (this.failedAt !== undefined) return;
    const bytes = new Uint8Array(this.#rest.length + piece.length);
    bytes.set(this.#rest);
    bytes.set(piece, this.#rest.length);
    const end = isLast ? bytes.length : bytes.length - LONGEST + 1;
    let at = 0;
    const trail = (place: number) => bytes[at + place] ?? UNKNOWN;
    while (at < end) {
      const lead = bytes[at] ?? 0;
      const length = lead < 0x80 ? 1 : this.#rule(lead, trail);
      if (length === 0) {
        this.failedAt = this.#offset + at;
        return;
      }
      if (lead >= 0x80) {
        this.characters++;
        if (this.#isCommon(lead, trail(1))) this.common++;
      }
      at += length;
    }
    this.#offset += at;
    this.#rest = bytes.slice(at);
  }
}

/** RFC 3629: no overlong forms, no halves of surrogate pairs, nothing beyond U+10FFFF. */
const utf8Rule: SequenceRule = (lead, trail) => {
  if (!within(lead, 0xc2, 0xf4)) return 0;
  const [low, high] = SECOND_BYTES.get(lead) ?? [0x80, 0xbf];
  if (!within(trail(1), low, high)) return 0;
  if (lead < 0xe0) return 2;
  if (!within(trail(2), 0x80, 0xbf)) return 0;
  if (lead < 0xf0) return 3;
  return within(trail(3), 0x80, 0xbf) ? 4 : 0;
};
/** What may follow the first bytes that not every continuation may follow. */
const SECOND_BYTES = new Map<number, readonly [low: number, high: number]>([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);

export const utf8Counter = () => new SequenceCounter(utf8Rule, () => false);

/** Windows code page 932. */
const shiftJisRule: SequenceRule = (lead, trail) => {
  if (within(lead, 0xa1, 0xdf)) return 1;
  if (!within(lead, 0x81, 0x9f) && !within(lead, 0xe0, 0xfc)) return 0;
  return within(trail(1), 0x40, 0x7e) || within(trail(1), 0x80, 0xfc) ? 2 : 0;
};

/** Shift_JIS with its extensions; half-width katakana are single bytes. */
export const shiftJisCounter = () =>
  new SequenceCounter(shiftJisRule, (lead, trail) => {
    if (lead === 0x81) return within(trail, 0x40, 0x7a);
    if (lead === 0x82) return within(trail, 0x9f, 0xf1);
    return lead === 0x83 && within(trail, 0x40, 0x96);
  });

/** JIS X 0208, half-width katakana behind 8E, JIS X 0212 behind 8F. */
const eucJpRule: SequenceRule = (lead, trail) => {
  const continues = (place: number) => within(trail(place), 0xa1, 0xfe);
  if (lead === 0x8e) return within(trail(1), 0xa1, 0xdf) ? 2 : 0;
  if (lead === 0x8f) return continues(1) && continues(2) ? 3 : 0;
  return within(lead, 0xa1, 0xfe) && continues(1) ? 2 : 0;
};

export const eucJpCounter = () =>
  new SequenceCounter(eucJpRule, (lead, trail) => {
    if (lead === 0xa1) return within(trail, 0xa1, 0xda);
    if (lead === 0xa4) return within(trail, 0xa1, 0xf3);
    return lead === 0xa5 && within(trail, 0xa1, 0xf6);
  });
