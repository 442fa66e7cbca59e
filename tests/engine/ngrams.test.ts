import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countNgrams } from '../../engine/ngrams/count.ts';
import { createNgramModel } from '../../engine/ngrams/kneser-ney.ts';
import { checkTrie, contextNode } from '../../engine/ngrams/trie.ts';

const VOCABULARY = 5;
const sequence = fc.array(fc.integer({ min: 0, max: VOCABULARY - 2 }), { maxLength: 30 });
const sequences = fc.array(sequence, { minLength: 1, maxLength: 3 });
const orders = fc.integer({ min: 1, max: 5 });

/** Counts as they are defined, by name: events, and distinct longer n-grams that end in each. */
function countedByDefinition(events: readonly (readonly number[])[], order: number) {
  const counts = new Map<string, number>();
  const add = (gram: readonly number[]): void => {
    const name = gram.join(' ');
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    if (before === 0 && gram.length > 1) add(gram.slice(1));
  };
  // Longest first: an n-gram is new once, however many events there are of it.
  for (const event of events) add(event);
  expect(Math.max(0, ...events.map(({ length }) => length))).toBeLessThanOrEqual(order);
  return counts;
}

const eventsOf = (texts: readonly (readonly number[])[], order: number) =>
  texts.flatMap((text) => text.map((_, at) => text.slice(Math.max(0, at - order + 1), at + 1)));

function trieOf(texts: readonly (readonly number[])[], order: number) {
  const counted = texts.map((text) => Uint32Array.from(text));
  return countNgrams(counted, { vocabulary: VOCABULARY, order });
}

function logsOf(
  trie: ReturnType<typeof trieOf>,
  context: readonly number[],
  leftOut?: number,
): Float32Array {
  const out = new Float32Array(trie.vocabulary);
  const stretch = { tokens: context, start: 0, end: context.length };
  createNgramModel(trie).logProbabilities(stretch, out, leftOut);
  return out;
}

describe('n-gram tables', () => {
  it('count each n-gram as it is defined', () => {
    fc.assert(
      fc.property(sequences, orders, (texts, order) => {
        const trie = trieOf(texts, order);
        const expected = countedByDefinition(eventsOf(texts, order), order);

        checkTrie(trie);
        expect(trie.tokens.length - 1).toBe(expected.size);
        for (const [name, count] of expected) {
          const gram = name.split(' ').map(Number);
          expect(trie.counts[contextNode(trie, gram, 0, gram.length)]).toBe(count);
        }
      }),
    );
  });

  it('give every context chances that add up to 1, with an occurrence and without', () => {
    const context = fc.array(fc.integer({ min: 0, max: VOCABULARY - 1 }), { maxLength: 6 });
    fc.assert(
      fc.property(
        sequences,
        orders,
        context,
        fc.nat(VOCABULARY - 1),
        (texts, order, asked, out) => {
          const trie = trieOf(texts, order);
          for (const logs of [logsOf(trie, asked), logsOf(trie, asked, out)]) {
            const sum = logs.reduce((all, log) => all + Math.exp(log), 0);
            expect(sum).toBeCloseTo(1, 5);
          }
        },
      ),
    );
  });

  it('leave one occurrence out as if it had never been counted', () => {
    fc.assert(
      fc.property(sequences, orders, fc.nat(1000), (texts, order, pick) => {
        const events = eventsOf(texts, order);
        fc.pre(events.length > 1);
        const event = events[pick % events.length]!;
        const others = events.filter((_, at) => at !== pick % events.length);
        const trie = trieOf(texts, order);
        const reduced = { ...trie, counts: trie.counts.slice() };
        const expected = countedByDefinition(others, order);
        for (const gram of gramsOf(trie)) {
          const count = expected.get(gram.name) ?? 0;
          reduced.counts[gram.node] = count;
        }

        const leftOut = logsOf(trie, event.slice(0, -1), event.at(-1));

        // Discounts are those of all events, as in training: so the counts alone are replaced.
        const reference = referenceLogs(trie, reduced.counts, event.slice(0, -1));
        for (const [token, log] of leftOut.entries()) expect(log).toBeCloseTo(reference[token]!, 4);
      }),
    );
  });

  it('keep to their bound of nodes', () => {
    let seed = 7;
    const text = Uint32Array.from({ length: 20_000 }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 300;
    });
    const trie = countNgrams([text], { vocabulary: 300, order: 4, maxNodes: 5000 });

    expect(trie.tokens.length).toBeGreaterThan(2500);
    expect(trie.tokens.length).toBeLessThanOrEqual(5000);
    checkTrie(trie);
  });

  it('of a file that no text could have given are refused', () => {
    const trie = trieOf([[0, 1, 2, 0, 1, 3]], 3);
    const altered = (name: 'tokens' | 'counts' | 'children', at: number, value: number) => {
      const copy = trie[name].slice();
      copy[at] = value;
      return { ...trie, [name]: copy };
    };

    expect(() => checkTrie(altered('tokens', 1, VOCABULARY))).toThrow(/token 5 of 5/);
    expect(() => checkTrie(altered('counts', 2, 0))).toThrow(/0 times/);
    expect(() => checkTrie(altered('children', 1, 1 << 20))).toThrow(/has children/);
    expect(() => checkTrie({ ...trie, order: 2 })).toThrow(/below order 2/);
  });
});

/** Every n-gram of a trie with its node. */
function gramsOf({ tokens, children }: ReturnType<typeof trieOf>) {
  const found: { readonly node: number; readonly name: string }[] = [];
  const visit = (node: number, before: readonly number[]): void => {
    if (node >= children.length - 1) return;
    for (let child = children[node]!; child < children[node + 1]!; child++) {
      const gram = [...before, tokens[child]!];
      found.push({ node: child, name: gram.join(' ') });
      visit(child, gram);
    }
  };
  visit(0, []);
  return found;
}

/** Interpolated Kneser-Ney by the formula, from given counts and the discounts of the whole trie. */
function referenceLogs(
  trie: ReturnType<typeof trieOf>,
  counts: Uint32Array,
  context: readonly number[],
): number[] {
  const { order, vocabulary } = trie;
  const grams = gramsOf(trie).map(({ node, name }) => ({
    gram: name.split(' ').map(Number),
    whole: trie.counts[node]!,
    count: counts[node]!,
  }));
  let chances = Array.from({ length: vocabulary }, () => 1 / vocabulary);
  for (let length = 0; length <= Math.min(order - 1, context.length); length++) {
    const before = context.slice(context.length - length).join(' ');
    const level = grams.filter(({ gram }) => gram.length === length + 1);
    const discount = discountsOf(level.map(({ whole }) => whole));
    const own = level.filter(({ gram }) => gram.slice(0, -1).join(' ') === before);
    const total = own.reduce((sum, { count }) => sum + count, 0);
    if (total === 0) continue;
    const held = own.reduce((sum, { count }) => sum + discount[Math.min(count, 3)]!, 0);
    const shorter = chances;
    chances = shorter.map((chance, token) => {
      const count = own.find(({ gram }) => gram.at(-1) === token)?.count ?? 0;
      return (count - discount[Math.min(count, 3)]! + held * chance) / total;
    });
  }
  return chances.map(Math.log);
}

/** Chen and Goodman's, or 1/2, 1 and 3/2 where too few n-grams are rare. */
function discountsOf(counts: readonly number[]): readonly number[] {
  const [n1, n2, n3, n4] = [1, 2, 3, 4].map((n) => counts.filter((count) => count === n).length);
  if (!n1 || !n2 || !n3) return [0, 0.5, 1, 1.5];
  const y = n1 / (n1 + 2 * n2);
  const estimates = [1 - (2 * y * n2) / n1, 2 - (3 * y * n3) / n2, 3 - (4 * y * n4!) / n3];
  return [0, ...estimates.map((value, i) => Math.min(Math.max(value, 0.05), i + 1))];
}

const data = new URL('../../../shared/data/text/', import.meta.url);

/** Of the last tenth, nats a character, from the first nine. */
function measured(file: string, order: number): number {
  const text = [...readFileSync(new URL(file, data), 'utf8')];
  const ids = new Map([...new Set(text)].toSorted().map((character, id) => [character, id]));
  const tokens = Uint32Array.from(text, (character) => ids.get(character)!);
  const cut = Math.floor(tokens.length * 0.9);
  const options = { vocabulary: ids.size, order };
  const model = createNgramModel(countNgrams([tokens.subarray(0, cut)], options));
  const out = new Float32Array(ids.size);
  let nats = 0;
  // Every eleventh place: the whole of a text of 4,000 characters takes too long.
  const stride = ids.size > 1000 ? 11 : 1;
  let places = 0;
  for (let end = cut; end < tokens.length; end += stride) {
    model.logProbabilities({ tokens, start: 0, end }, out);
    nats -= out[tokens[end]!]!;
    places++;
  }
  return nats / places;
}

describe.skipIf(!existsSync(data))('on shared/data, which is not there everywhere, n-grams', () => {
  it.each([
    [2, 2.484],
    [5, 1.561],
    [6, 1.523],
  ])('of order %i reach the floor %f of tinyshakespeare', (order, floor) => {
    expect(Math.abs(measured('tinyshakespeare.txt', order) - floor)).toBeLessThan(0.001);
  });

  it('of order 5 reach the floor of aozora-clean', () => {
    expect(Math.abs(measured('aozora-clean.txt', 5) - 3.479)).toBeLessThan(0.02);
  });
});
