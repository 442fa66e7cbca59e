import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusalOf, runHere, temporaryFolder } from './spikegrid-process.ts';

describe('spikegrid compare', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const at = (...names: string[]) => join(folder.path, ...names);
  /** A run whose validation ended at the last loss. */
  const writeRun = (name: string, losses: readonly number[], config: object) => {
    mkdirSync(at(name), { recursive: true });
    const lines = losses.flatMap((loss, i) => [
      { kind: 'train', step: 10 * (i + 1), epoch: i, loss: loss + 0.1 },
      { kind: 'validation', step: 10 * (i + 1), val_loss: loss, accuracy: 1 - loss },
    ]);
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(at(name, 'metrics.jsonl'), text);
    writeFileSync(at(name, 'config.json'), JSON.stringify(config));
    return at(name);
  };
  const compared = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere('compare', ...args);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('prints where each run ended, which was best, and the settings that differ', async () => {
    const a = writeRun('first', [0.5, 0.25, 0.3], {
      command: 'spikegrid train a',
      seed: 1,
      fields: { d_model: 32, blocks: 2 },
    });
    const b = writeRun('second', [0.6, 0.4], {
      command: 'spikegrid train b',
      seed: 2,
      fields: { d_model: 64, blocks: 2 },
    });

    expect((await compared(a, b)).split('\n')).toEqual([
      '                first              second',
      'steps           30                 20',
      'loss            0.4                0.5',
      'loss, best      0.35 at step 20 *  0.5 at step 20',
      'val_loss        0.3                0.4',
      'val_loss, best  0.25 at step 20 *  0.4 at step 20',
      'accuracy        0.7                0.6',
      'accuracy, best  0.75 at step 20 *  0.6 at step 20',
      '',
      'settings that differ  first  second',
      'seed                  1      2',
      'fields.d_model        32     64',
      '',
    ]);
  });

  it('draws a curve of each run as a page and as a picture, with names escaped', async () => {
    const a = writeRun('<i>a', [0.5, 0.3], { seed: 1 });
    const b = writeRun('b', [0.6, 0.4], { seed: 1 });
    const said = await compared(a, b, '--html', at('all.html'), '--svg', at('all.svg'));

    expect(said).toContain('settings: the same');
    const page = readFileSync(at('all.html'), 'utf8');
    const picture = readFileSync(at('all.svg'), 'utf8');
    for (const text of [page, picture]) {
      expect(text).toContain('&lt;i&gt;a');
      expect(text).not.toContain('<i>');
      expect(text).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org\/2000\/svg")/);
      // Loss, validation loss and accuracy, a curve for each run.
      expect(text.match(/<title>(?:loss|val_loss|accuracy)<\/title>/g)).toHaveLength(3);
      expect(
        text.match(/<path d="M[\d. ]+L[^"]+" fill="none" [^>]*stroke-width="1.75"/g)?.length,
      ).toBeGreaterThanOrEqual(6);
    }
    expect(picture).toMatch(/^<svg [^]*<\/svg>\n$/);
  });

  it('numbers the curves of many runs, with a key', async () => {
    const runs = ['a', 'b', 'c', 'd', 'e'].map((name) => writeRun(name, [0.5, 0.3], {}));
    await compared(...runs, '--html', at('all.html'), '--svg', at('all.svg'));
    for (const file of ['all.html', 'all.svg']) {
      const text = readFileSync(at(file), 'utf8');
      expect(text).toMatch(/>run 5: e</);
      expect(text).toMatch(/>run 5</);
    }

    const many = Array.from({ length: 13 }, () => at('a'));
    const { stderr } = await refusalOf('compare', ...many);
    expect(stderr).toContain('13 runs were given: expected 1 to 12 folders');
  });

  it('compares runs that have not the same metrics, and runs of one name', async () => {
    const a = writeRun('run', [0.5], { seed: 1 });
    mkdirSync(at('other/run'), { recursive: true });
    writeFileSync(at('other/run/metrics.jsonl'), '{"kind":"train","step":3,"cost":2}\n');

    const said = await compared(a, at('other/run'));
    expect(said).toMatch(/run \(1\) +run \(2\)/);
    expect(said).toMatch(/cost +- +2/);
    expect(said).toMatch(/seed +1 +-/);
  });

  it('prints nothing that a terminal would obey', async () => {
    const escape = String.fromCodePoint(27);
    const a = writeRun('a', [0.5], { name: `${escape}[2Jx` });
    const b = writeRun('b', [0.5], { name: 'y' });
    expect(await compared(a, b)).not.toContain(escape);
  });

  it('refuses folders that are no runs', async () => {
    const run = writeRun('run', [0.5], {});
    mkdirSync(at('empty'));
    mkdirSync(at('started'));
    writeFileSync(at('started/metrics.jsonl'), '');
    writeRun('damaged', [0.5], {});
    writeFileSync(at('damaged/config.json'), '{');
    const messageOf = async (name: string) => (await refusalOf('compare', run, at(name))).stderr;

    expect(await messageOf('nowhere')).toMatch(/nowhere does not exist: expected a run/);
    expect(await messageOf('run/metrics.jsonl')).toMatch(/is a file: expected the folder of a run/);
    expect(await messageOf('empty')).toMatch(
      /empty is no run: expected metrics.jsonl, .* found nothing/,
    );
    expect(await messageOf('started')).toMatch(/started has no metrics yet/);
    expect(await messageOf('damaged')).toMatch(/damaged\/config.json cannot be read/);
  });
});
