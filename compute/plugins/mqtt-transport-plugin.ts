import { connectAsync, type MqttClient } from 'mqtt';
import {
  BasePlugin,
  EngineError,
  eventsOf,
  metadata,
  type PluginArray,
  type PluginValue,
  type PluginValues,
  settings,
} from '../../engine/index.ts';

const configuration = settings({
  url: {
    type: 'string',
    title: 'Broker',
    description: 'Such as mqtt://broker:1883, mqtts://… or ws://…',
    default: '',
    required: true,
  },
  client_id: {
    type: 'string',
    title: 'Client id',
    description: 'Made up where empty.',
    default: '',
  },
  username: { type: 'string', title: 'User', default: '' },
  password: { type: 'string', title: 'Password', default: '', writeOnly: true },
  prefix: { type: 'string', title: 'Prefix of all topics', default: 'spikegrid/' },
  qos: {
    type: 'integer',
    title: 'Quality of service',
    description: '0 at most once, 1 at least once, 2 exactly once.',
    default: 1,
    minimum: 0,
    maximum: 2,
  },
});

const described = metadata({
  name: 'MQTTTransportPlugin',
  type: 'COMMUNICATION',
  version: '1.0.0',
  description: 'Sends spikes and values to an MQTT broker, and receives those of others.',
  configuration,
  inputs: {
    topic: { kind: 'text', optional: true, description: 'Where to publish, below the prefix' },
    spikes: {
      kind: 'array',
      axes: ['T', 'N'],
      values: 'spikes',
      optional: true,
      description: 'Published as address events: {"steps", "neurons", "events": [[t, n], …]}',
    },
    payload: {
      kind: 'json',
      optional: true,
      description: 'Published as JSON where there are no spikes',
    },
    subscribe: {
      kind: 'text',
      optional: true,
      description: 'A topic filter below the prefix, such as layer/+/spikes; from now on',
    },
  },
  outputs: {
    published: { kind: 'number', description: 'Messages that the broker took' },
    messages: {
      kind: 'json',
      description: 'What arrived since the last call: each a topic and a payload, a text',
    },
    dropped: { kind: 'number', description: 'Messages since then for which there was no room' },
  },
});

interface Arrived {
  readonly topic: string;
  /** As it came: what a stranger sends is not parsed here. */
  readonly payload: string;
}

/** Bound of messages that nobody has read yet. */
const MAX_KEPT = 1000;
const MAX_PAYLOAD_BYTES = 1024 * 1024;
const CONNECT_MS = 5_000;

/** Carries messages between networks over MQTT 3.1.1 or 5. */
export class MqttTransportPlugin extends BasePlugin {
  #client: MqttClient | undefined;
  #kept: Arrived[] = [];
  #dropped = 0;

  getMetadata() {
    return described;
  }

  override async activate(): Promise<void> {
    const { url, client_id: clientId, username, password } = this.settings(configuration);
    const client = await connectAsync(
      url,
      {
        ...(clientId !== '' && { clientId }),
        ...(username !== '' && { username, password }),
        connectTimeout: CONNECT_MS,
        reconnectPeriod: 1_000,
      },
      false,
    );
    this.#client = client;
    client.on('message', (topic, bytes) => this.#receive(topic, bytes));
    client.on('offline', () => this.context.log('warn', 'lost its broker; it tries again'));
    client.on('connect', () => this.context.log('info', 'has its broker again'));
    client.on('error', ({ message }) => this.context.log('warn', `broker: ${message}`));
    this.context.log('info', `connected to ${url}`);
  }

  async execute({ topic, spikes, payload, subscribe }: PluginValues): Promise<PluginValues> {
    const client = this.#client;
    if (!client) throw new EngineError('plugin-failed', 'it has no connection');
    const { prefix } = this.settings(configuration);
    const qos = this.settings(configuration).qos as 0 | 1 | 2;
    if (typeof subscribe === 'string') await client.subscribeAsync(prefix + subscribe, { qos });
    // The port says that spikes are an array of two axes.
    const value = spikes === undefined ? payload : addressEvents(spikes as PluginArray);
    const isPublished = typeof topic === 'string' && value !== undefined;
    if (isPublished) await client.publishAsync(prefix + topic, JSON.stringify(value), { qos });
    const [messages, dropped] = [this.#kept.map((message) => ({ ...message })), this.#dropped];
    this.#kept = [];
    this.#dropped = 0;
    return { published: Number(isPublished), messages, dropped };
  }

  override async deactivate(): Promise<void> {
    await this.#end(false);
  }

  override async dispose(): Promise<void> {
    await this.#end(true);
  }

  async #end(isForced: boolean): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.endAsync(isForced);
  }

  #receive(topic: string, bytes: Uint8Array): void {
    if (this.#kept.length >= MAX_KEPT || bytes.byteLength > MAX_PAYLOAD_BYTES) {
      this.#dropped += 1;
      return;
    }
    const { prefix } = this.settings(configuration);
    this.#kept.push({
      topic: topic.slice(prefix.length),
      payload: new TextDecoder().decode(bytes),
    });
  }
}

/** A raster as address events, which take room only where something fired. */
function addressEvents(spikes: PluginArray): PluginValue {
  const [steps = 0, neurons = 0] = spikes.shape;
  return { steps, neurons, events: eventsOf(spikes) };
}
