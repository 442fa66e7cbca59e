import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import {
  BrainPrompt,
  type BrainPromptInput,
  type SpikeTrain,
} from '../../edge/brain/contract/prompt.ts';
import { type BrainAnswer, BrainRoute, type Hop } from '../../edge/brain/contract/reply.ts';
import { type BrainAnswered, brainEndpoints } from '../../edge/brain/endpoints.ts';
import { DEFAULT_NAMESPACE } from '../../edge/discovery/endpoints.ts';
import { callEndpoint } from '../../edge/contract/client.ts';
import { parseBody } from '../../edge/contract/parse.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import { askExternal } from '../brain/ask-external.ts';
import { atGateway, brokerOption, type GatewayOptions, openGateway } from './gateway-access.ts';
import { readJsonFile } from './network-file.ts';
import { numberOption } from './numbers.ts';

interface AskOptions extends GatewayOptions {
  readonly image?: string;
  readonly audio?: string;
  readonly spikes?: string;
  readonly broker?: string;
  readonly target?: string;
  readonly regions?: string;
  readonly namespace: string;
  readonly tokens: number;
  readonly temperature: number;
  readonly seed?: number;
  readonly timeout: number;
  readonly json?: true;
}

export function askCommand(): Command {
  return atGateway(new Command('ask'), 'infer')
    .argument('[text]', 'what is asked')
    .addOption(new Option('--image <file>', 'an image: a PNG file').conflicts('audio'))
    .option('--audio <file>', 'audio: a WAV file')
    .option('--spikes <file>', 'spikes for the motor module: JSON {"neurons", "times", "bits"}')
    .addOption(brokerOption())
    .option('--target <type>', 'the target module, such as visual or lang-embed-3')
    .option('--regions <ids>', 'preferred regions, comma-separated, best first')
    .option('--namespace <name>', 'namespace of the brain', DEFAULT_NAMESPACE)
    .option('--tokens <n>', 'number of characters', numberOption, 64)
    .option('--temperature <t>', 'sampling temperature; 0 is greedy', numberOption, 0.8)
    .option('--seed <n>', 'random seed; the same seed gives the same text', numberOption)
    .option('--timeout <s>', 'total time limit in seconds', numberOption, 60)
    .option('--json', 'print the response and its route as one line of JSON')
    .action(ask);
}

async function ask(text: string | undefined, options: AskOptions): Promise<void> {
  const { json } = options;
  const prompt = await promptOf(text, options);
  try {
    const asked = await answerTo(prompt, options);
    const { answer, route, gateway_ms: gatewayMs } = asked;
    if (json) {
      console.log(JSON.stringify(asked));
      return;
    }
    console.log(textOf(answer, text));
    console.error(`${routeLines(route).join('\n')}\n  ${ms(gatewayMs)} more to the PFC and back`);
  } catch (error) {
    const route = BrainRoute.safeParse(routeIn(error)).data;
    if (route) console.error(routeLines(route).join('\n'));
    throw error;
  }
}

async function answerTo(
  prompt: BrainPromptInput,
  { broker, namespace, ...options }: AskOptions,
): Promise<BrainAnswered> {
  if (broker !== undefined) {
    return askExternal({ broker, namespace }, parseBody(BrainPrompt, prompt));
  }
  const asked = { query: { namespace }, body: prompt };
  return (await callEndpoint(openGateway(options), brainEndpoints.askBrain, asked)).body;
}

/** The route named in a refusal, the gateway's or one made here. */
function routeIn(error: unknown): unknown {
  if (error instanceof ProblemError) return error.problem['route'];
  return error instanceof Problem ? error.extras.members?.['route'] : undefined;
}

async function promptOf(text: string | undefined, options: AskOptions): Promise<BrainPromptInput> {
  const { image, audio, spikes, target, regions, tokens, temperature, seed, timeout } = options;
  return {
    ...(text !== undefined && { text }),
    ...(image !== undefined && { image: await base64(image) }),
    ...(audio !== undefined && { audio: await base64(audio) }),
    ...(spikes !== undefined && { spikes: (await readJsonFile(spikes)) as SpikeTrain }),
    ...(target !== undefined && { target }),
    ...(regions !== undefined && { region_priority: regions.split(',') }),
    config: { max_length: tokens, temperature, ...(seed !== undefined && { seed }) },
    timeout_ms: Math.round(1000 * timeout),
  };
}

const base64 = async (file: string) => (await readFile(file)).toString('base64');

/** Classes that are printed: the likeliest ones. */
const MAX_CLASSES = 5;

function textOf({ outputs }: BrainAnswer, prompt = ''): string {
  const { text, classes, command } = outputs;
  if (text !== undefined) return prompt + text;
  if (command) return `command ${command.map((value) => value.toFixed(3)).join(' ')}`;
  const lines = (classes ?? [])
    .slice(0, MAX_CLASSES)
    .map(({ label, probability }) => `${(100 * probability).toFixed(1).padStart(5)} %  ${label}`);
  return lines.join('\n');
}

function routeLines({ route_id, pfc, target, node_id, fallback, hops, total_ms }: BrainRoute) {
  const way = fallback ? ' (fallback to lang-main)' : '';
  return [
    `${route_id}: ${target} → ${node_id ?? 'nobody'}${way}, by ${pfc.node_id} in ${ms(total_ms)}`,
    ...hops.map((hop, i) => `  ${i + 1}. ${hopLine(hop)}`),
  ];
}

function hopLine({ region_id, topic, status, taken_ms, total_ms, reason, detail }: Hop): string {
  const taken = taken_ms === null ? 'never taken' : `taken in ${ms(taken_ms)}`;
  const why = detail === null ? '' : ` (${detail})`;
  return `${status} at ${topic} in ${region_id}: ${taken}, over in ${ms(total_ms)}${why}; ${reason}`;
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
