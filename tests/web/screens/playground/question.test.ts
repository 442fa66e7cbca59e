import { describe, expect, it } from 'vitest';
import { InferRequest } from '../../../../edge/inference/contract/infer.ts';
import {
  type ModelInputs,
  modelInputsOf,
} from '../../../../edge/inference/contract/request-inputs.ts';
import {
  type GivenFile,
  type GivenMedia,
  namesOf,
  parseStops,
  parseTarget,
  requestOf,
  titleOf,
  writeStops,
  writeTarget,
} from '../../../../web/screens/playground/exchanges/question.ts';
import {
  FIELDS,
  fieldsFrom,
  questionFrom,
} from '../../../../web/screens/playground/playground-fields.ts';
import { requestCode } from '../../../../web/screens/playground/form/request-code.ts';
import { readFields } from '../../../../web/url-state/codec.ts';

const fieldsOf = (search: string) => readFields(FIELDS, search);
const withText = (prompt: string) => ({ takes: { text: 'needed' }, prompt, media: {} }) as const;
const given = (name: string): GivenFile => ({
  ...{ name, file: new Blob(['x']), bytes: 1, base64: 'eA==' },
});

describe('what is asked', () => {
  it.each([
    ['stories@1.2.0-rc.1', { modelId: 'stories', version: '1.2.0-rc.1' }],
    ['a.b-c@production', { modelId: 'a.b-c', alias: 'production' }],
  ])('names a version of a model: %s', (written, target) => {
    expect(parseTarget(written)).toEqual(target);
    expect(writeTarget(target)).toBe(written);
  });

  it.each(['', 'stories', 'stories@', '@1.0.0', 'Stories@1.0.0', 'stories@1.0', 'stories@-x'])(
    'is nothing where the target is "%s"',
    (written) => {
      expect(parseTarget(written)).toBeNull();
    },
  );

  it('is what the service takes, with its stop sequences', () => {
    const search =
      '?model=stories@production&stop=END%0A%5Cn%5Cn&temperature=0&max_length=12&seed=9';

    const question = questionFrom(fieldsOf(search), withText('Once '))!;

    const request = InferRequest.parse(requestOf(question, question.targets[0]!));
    expect(request).toMatchObject({
      model_id: 'stories',
      alias: 'production',
      inputs: { text: 'Once ' },
    });
    expect(request.config).toEqual({
      max_length: 12,
      temperature: 0,
      top_k: 0,
      top_p: 1,
      seed: 9,
      stop: ['END', '\n\n'],
      raster: true,
    });
  });

  it('is put back into the form as it was', () => {
    const fields = fieldsOf('?model=a@1.0.0&beside=a@x&stop=%5C%5Cn%0A%5Ct&raster=0&top_k=4');

    const question = questionFrom(fields, withText(''))!;

    expect({ ...fields, ...fieldsFrom(question) }).toEqual(fields);
    expect(question.sampling.stop).toEqual(['\\n', '\t']);
  });

  it('is nothing while the second model is missing, or there are too many stop sequences', () => {
    expect(questionFrom(fieldsOf('?model=a@1.0.0&beside=what'), withText(''))).toBeNull();
    expect(
      questionFrom(fieldsOf(`?model=a@1.0.0&stop=${'x%0A'.repeat(9)}`), withText('')),
    ).toBeNull();
    expect(parseStops('x'.repeat(65))).toBeUndefined();
    expect(writeStops(parseStops('x\\n')!)).toBe('x\\n');
  });

  it('holds what its model takes, and is nothing while something that it needs is missing', () => {
    const fields = fieldsOf('?model=a@1.0.0');
    const inputsOf = (takes: ModelInputs, prompt: string, media: GivenMedia) => {
      const question = questionFrom(fields, { takes, prompt, media });
      return question && requestOf(question, question.targets[0]!).inputs;
    };
    const media = { image: given('a.png'), audio: given('b.wav') };
    const captions = modelInputsOf({ architecture: 'spiking_multimodal', core: { image: {} } });
    const streams = modelInputsOf({
      architecture: 'memoried_spikenetlm',
      core: { image: {}, audio: {} },
    });

    expect(inputsOf({ image: 'needed' }, 'left over', media)).toEqual({ image: 'eA==' });
    expect(inputsOf({ audio: 'needed' }, '', media)).toEqual({ audio: 'eA==' });
    expect(inputsOf(captions, '', media)).toEqual({ image: 'eA==' });
    expect(inputsOf(captions, 'a red', media)).toEqual({ image: 'eA==', text: 'a red' });
    expect(inputsOf(captions, 'a red', {})).toBeNull();
    expect(inputsOf(streams, '', {})).toEqual({ text: '' });
    expect(inputsOf(streams, 'x', media)).toEqual({ text: 'x', image: 'eA==', audio: 'eA==' });
    expect(titleOf({ prompt: ' x ', media })).toBe('a.png b.wav x');
  });

  it('distinguishes a version from a second copy of itself', () => {
    const question = questionFrom(fieldsOf('?model=a@1.0.0&beside=a@1.0.0'), withText(''))!;

    expect(namesOf(question)).toEqual(['a@1.0.0', 'a@1.0.0 (2)']);
  });
});

describe('the question as code', () => {
  const question = questionFrom(fieldsOf('?model=a@1.0.0'), withText("it's $HOME `x` \\n"))!;
  const target = question.targets[0]!;
  const request = requestOf(question, target);

  it('holds no key, and reads one only where one is needed', () => {
    const options = { target, origin: 'https://grid.example', needsKey: true };
    expect(requestCode('curl', question, options)).toContain('Bearer $SPIKEGRID_KEY"');
    expect(requestCode('typescript', question, options)).toContain('process.env.SPIKEGRID_KEY');
    expect(requestCode('curl', question, { ...options, needsKey: false })).not.toMatch(/key/i);
  });

  it('escapes quotes, dollars and line breaks for the shell', () => {
    const code = requestCode('curl', question, {
      ...{ target, origin: 'http://127.0.0.1:1', needsKey: false },
    });

    const body = code.slice(code.indexOf("-d '") + 4, -1).replaceAll(String.raw`'\''`, "'");

    expect(JSON.parse(body)).toEqual(request);
    expect(code.startsWith('curl http://127.0.0.1:1/inference/infer ')).toBe(true);
  });

  it('reads files where it runs', () => {
    const takes = { image: 'needed' } as const;
    const media = { image: given("it's.png") };
    const seen = questionFrom(fieldsOf('?model=a@1.0.0'), { takes, prompt: '', media })!;
    const options = { target, origin: 'http://127.0.0.1:1', needsKey: false };

    expect(requestCode('curl', seen, options)).toContain(
      String.raw`"image":"'"$(base64 < 'it'\''s.png' | tr -d '\n')"'"`,
    );
    const script = requestCode('typescript', seen, options);
    expect(script).toContain(`"image": (await readFile("it's.png")).toString('base64')`);
    expect(script).not.toContain('eA==');
  });
});
