import { describe, expect, it } from 'vitest';
import { askExternal } from '../../compute/brain/ask-external.ts';
import { BrainPrompt } from '../../edge/brain/contract/prompt.ts';
import { hasMosquitto, startMosquitto } from './mosquitto.ts';
import { SEEN, startAnswering, watchNodes } from './outside-nodes.ts';

describe.skipIf(!hasMosquitto)('a brain on mosquitto (apt-get install mosquitto)', () => {
  it('is seen as one at the edge is, and says at once who has left', async () => {
    await using broker = await startMosquitto();
    expect(await watchNodes(broker.url)).toEqual(SEEN);
  });
});

describe.skipIf(!hasMosquitto)('prompts on mosquitto (apt-get install mosquitto)', () => {
  it('take the way they take on the platform, over all regions, with a user and a password', async () => {
    const password = 'open sesame';
    await using mosquitto = await startMosquitto({ name: 'ali', password });
    const broker = mosquitto.url.replace('//', `//ali:${encodeURIComponent(password)}@`);
    const ask = async (prompt: object) => {
      const { answer, route } = await askExternal(
        { broker, namespace: 'default' },
        BrainPrompt.parse(prompt),
      );
      return { text: answer.outputs.text, hops: route.hops, pfc: route.pfc.node_id };
    };
    const pfc = await startAnswering(broker, 'pfc-1', 'cellar');
    const language = await startAnswering(broker, 'lang-main-1', 'cellar');
    const eye = await startAnswering(broker, 'visual-1', 'attic');

    const [read, seen] = await Promise.all([ask({ text: 'who?' }), ask({ image: 'aGk=' })]);
    await eye.close();
    const fallen = await ask({ image: 'aGk=' });

    expect(read).toMatchObject({ text: 'lang-main-1', pfc: 'pfc-1' });
    expect(seen.text).toBe('visual-1');
    expect(seen.hops).toMatchObject([
      { topic: 'node/visual-1/prompt', region_id: 'attic', status: 'answered' },
    ]);
    expect(fallen.text).toBe('lang-main-1');
    expect(fallen.hops).toMatchObject([{ topic: 'pfc/text_prompt', fallback: true }]);
    const stranger = startAnswering(
      mosquitto.url.replace('//', '//ali:sesam@'),
      'motor-1',
      'attic',
    );
    await expect(stranger).rejects.toThrow(
      /^[^@]+motor-1 cannot connect to mqtt:\/\/127\.0\.0\.1:\d+: .*[Nn]ot authorized$/,
    );
    await language.close();
    await pfc.close();
  });
});
