import * as z from 'zod/mini';
import { BrokerName } from '../../discovery/endpoints.ts';
import { InferConfig } from '../../inference/contract/infer.ts';
import { atLeastOne, says } from '../../contract/schema-rules.ts';

/** The maximum size of a message as JSON: a broker accepts packets of 1 MiB. */
export const MAX_PROMPT_BYTES = 1_000_000;

const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));
const media = z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_PROMPT_BYTES)));

/** Spikes of a population: a row of neurons for each time step. */
export const SpikeTrain = z.strictObject({
  neurons: whole(1, 65_536),
  times: whole(1, 4096),
  /**
   * Base64 of `ceil(neurons / 32)` little-endian words per time step, least significant bit first.
   */
  bits: z.string().check(z.maxLength(MAX_PROMPT_BYTES)),
});
export type SpikeTrain = z.infer<typeof SpikeTrain>;

/** A prompt for a brain. Its content decides the module, unless `target` names one. */
export const BrainPrompt = z
  .strictObject({
    text: z.optional(z.string().check(z.maxLength(200_000))),
    /** A PNG file in base64. */
    image: media,
    /** A WAV file in base64. */
    audio: media,
    /** For the motor module. */
    spikes: z.optional(SpikeTrain),
    /** A module: a base type such as `visual`, or a compound name such as `lang-embed-3`. */
    target: z.optional(z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/))),
    /** Options for generating text. */
    config: z.prefault(InferConfig, {}),
    /** Regions in order of preference; by default the PFC's own list. */
    region_priority: z.optional(z.array(BrokerName).check(z.maxLength(20))),
    /** The time limit for everything, including a retry. */
    timeout_ms: z.prefault(whole(100, 300_000), 60_000),
  })
  .check(
    says(
      atLeastOne('text', 'image', 'audio', 'spikes'),
      z.refine((prompt) => modalitiesOf(prompt).length > 0, {
        error: 'expected text, image, audio or spikes',
      }),
    ),
  );
export type BrainPromptInput = z.input<typeof BrainPrompt>;
export type BrainPrompt = z.output<typeof BrainPrompt>;

/** The kinds of content. */
export const Modality = z.enum(['text', 'image', 'audio', 'spikes']);
export type Modality = z.infer<typeof Modality>;

export const modalitiesOf = (prompt: Partial<Record<Modality, unknown>>): readonly Modality[] =>
  Modality.options.filter((name) => prompt[name] !== undefined);

/** The target module: as named, else the one for the most specific kind of content. */
export function targetOf(prompt: Pick<BrainPrompt, 'target' | Modality>): string {
  if (prompt.target !== undefined) return prompt.target;
  if (prompt.image !== undefined) return 'visual';
  if (prompt.audio !== undefined) return 'audio';
  return prompt.spikes === undefined ? 'lang-main' : 'motor';
}
