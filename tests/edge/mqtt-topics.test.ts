import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isTopicName,
  levelsOf,
  matchesTopic,
  parseFilter,
  TopicTree,
} from '../../edge/discovery/mqtt/topic.ts';

const word = fc.constantFrom('a', 'b', 'c', '', '$SYS', 'ü');
const topic = fc
  .array(word, { minLength: 1, maxLength: 5 })
  .map((levels) => levels.join('/'))
  .filter((name) => name !== '');
const filter = fc
  .tuple(fc.array(fc.oneof(word, fc.constant('+')), { maxLength: 4 }), fc.boolean())
  .map(([levels, isOpen]) => (isOpen ? [...levels, '#'] : levels).join('/'))
  .filter((text) => text !== '');

/** Section 4.7 as a regular expression: an account of its own of what matches. */
function expected(text: string, name: string): boolean {
  if (name.startsWith('$') && /^[+#]/.test(text)) return false;
  const pattern = text
    .split('/')
    .map((level) => (level === '+' ? '[^/]*' : level === '#' ? '.*' : level.replace('$', '\\$')))
    .join('/')
    .replace(/\/\.\*$/, '(?:/.*)?');
  return new RegExp(`^${pattern}$`, 'u').test(name);
}

describe('topic filters', () => {
  it('[MQTT-4.7.2-1] match as section 4.7 says, one by one and in a tree', () => {
    fc.assert(
      fc.property(fc.uniqueArray(filter, { maxLength: 12 }), topic, (filters, name) => {
        const tree = new TopicTree<string>();
        for (const text of filters) tree.set(levelsOf(text), 'x', text);

        const wanted = filters.filter((text) => expected(text, name));

        expect(tree.match(levelsOf(name)).toSorted()).toEqual(wanted.toSorted());
        expect(filters.filter((text) => matchesTopic(levelsOf(text), levelsOf(name)))).toEqual(
          wanted,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('leave nothing in the tree once they are taken out', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(filter, { maxLength: 12 }),
        fc.nat(11),
        topic,
        (filters, kept, name) => {
          const tree = new TopicTree<string>();
          for (const text of filters) tree.set(levelsOf(text), 'x', text);
          for (const [i, text] of filters.entries())
            if (i !== kept) tree.delete(levelsOf(text), 'x');

          const left = filters.filter((text, i) => i === kept && expected(text, name));

          expect(tree.match(levelsOf(name))).toEqual(left);
        },
      ),
    );
  });

  it.each([
    ['[MQTT-4.7.1-1]', ['a/#/b', 'a#', 'a/b#', '##']],
    ['[MQTT-4.7.1-2]', ['a+', '+a/b', 'a/+b', '++']],
    ['[MQTT-4.7.3-1]', ['']],
    ['[MQTT-4.8.2-1]', ['$share', '$share/', '$share//a', '$share/a', '$share/a/']],
    ['[MQTT-4.8.2-2]', ['$share/a+/b', '$share/#/b', '$share/+/b']],
  ])('%s are not such as %j', (_, texts) => {
    expect(texts.map(parseFilter)).toEqual(texts.map(() => undefined));
  });

  it.each(['#', '+', '/', 'a/+/#', '+/+', '$SYS/#', 'a//b', '/a', 'a b'])('may be %s', (text) => {
    expect(parseFilter(text)).toEqual({ text, share: undefined, levels: text.split('/') });
  });

  it('may be shared', () => {
    expect(parseFilter('$share/group/a/+')).toMatchObject({ share: 'group', levels: ['a', '+'] });
  });

  it('[MQTT-3.3.2-2] are no topic names where they have wildcards', () => {
    expect(['a', 'a/b', '/'].every(isTopicName)).toBe(true);
    expect(['', 'a/+', '#', 'a#', 'x'.repeat(2000), 'a/'.repeat(40)].some(isTopicName)).toBe(false);
  });
});
