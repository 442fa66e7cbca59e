import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MqttWorld, type TestClient } from './mqtt-world.ts';

/**
 * A publisher and a subscriber that keep their own side of section 4.3, over a network that breaks and
 * a broker that is evicted or crashes, wherever it comes to.
 */
const lasting = { clean: false, properties: { sessionExpiryInterval: 3600, receiveMaximum: 3 } };

class Publisher {
  readonly #world: MqttWorld;
  readonly #qos: 1 | 2;
  #client: TestClient;
  /** Messages that the broker has not acknowledged, by packet id. */
  readonly #open = new Map<number, { readonly text: string; phase: 'published' | 'released' }>();
  #lastId = 0;

  constructor(world: MqttWorld, qos: 1 | 2) {
    this.#world = world;
    this.#qos = qos;
    this.#client = world.connect({ ...lasting, clientId: 'publisher' });
  }

  publish(text: string): void {
    this.#lastId += 1;
    this.#open.set(this.#lastId, { text, phase: 'published' });
    this.#send(this.#lastId, false);
  }

  /** Reads what came, up to so many packets: the rest is lost should the connection break now. */
  read(most: number): void {
    for (const packet of this.#client.packets.splice(0, most)) {
      const id = packet.messageId ?? 0;
      const open = this.#open.get(id);
      if (packet.cmd === 'puback' || packet.cmd === 'pubcomp') this.#open.delete(id);
      if (packet.cmd !== 'pubrec') continue;
      if (open) open.phase = 'released';
      this.#client.send({ cmd: 'pubrel', messageId: id });
    }
  }

  comeBack(): void {
    this.#client = this.#world.connect({ ...lasting, clientId: 'publisher' });
    for (const [id, { phase }] of this.#open) {
      if (phase === 'released') this.#client.send({ cmd: 'pubrel', messageId: id });
      else this.#send(id, true);
    }
  }

  drop(): void {
    if (this.#client.isOpen) this.#client.drop();
  }

  #send(id: number, dup: boolean): void {
    const text = this.#open.get(id)?.text ?? '';
    this.#client.publish('topic', text, { qos: this.#qos, messageId: id, dup });
  }
}

class Subscriber {
  readonly got: string[] = [];
  readonly #world: MqttWorld;
  #client: TestClient;
  /** Of quality of service 2: packet ids whose message is known already. */
  readonly #known = new Set<number>();

  constructor(world: MqttWorld, qos: 1 | 2) {
    this.#world = world;
    this.#client = world.connect({ ...lasting, clientId: 'subscriber' });
    this.#client.subscribe('topic', qos);
  }

  read(most: number): void {
    for (const packet of this.#client.packets.splice(0, most)) {
      const messageId = packet.messageId ?? 0;
      if (packet.cmd === 'publish' && packet.qos === 1) {
        this.got.push(String(packet.payload));
        this.#client.send({ cmd: 'puback', messageId });
      } else if (packet.cmd === 'publish') {
        if (!this.#known.has(messageId)) this.got.push(String(packet.payload));
        this.#known.add(messageId);
        this.#client.send({ cmd: 'pubrec', messageId });
      } else if (packet.cmd === 'pubrel') {
        this.#known.delete(messageId);
        this.#client.send({ cmd: 'pubcomp', messageId });
      }
    }
  }

  comeBack(): void {
    this.#client = this.#world.connect({ ...lasting, clientId: 'subscriber' });
  }

  drop(): void {
    if (this.#client.isOpen) this.#client.drop();
  }
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'publish' } as const) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('read' as const), most: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'evict' } as const, { kind: 'crash' } as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { kind: 'lose-publisher' } as const,
      { kind: 'lose-subscriber' } as const,
    ),
  },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function play(steps: readonly Step[], qos: 1 | 2) {
  const world = new MqttWorld();
  const subscriber = new Subscriber(world, qos);
  const publisher = new Publisher(world, qos);
  let sent = 0;
  for (const one of steps) {
    if (one.kind === 'publish') publisher.publish(`${++sent}`);
    else if (one.kind === 'read') {
      publisher.read(one.most);
      subscriber.read(one.most);
    } else breakSomething(one.kind, { world, publisher, subscriber });
  }
  // From here on nothing is lost any more.
  for (let i = 0; i < 4 * sent + 8; i++) {
    publisher.read(10);
    subscriber.read(10);
  }
  const expected = Array.from({ length: sent }, (_, i) => `${i + 1}`);
  return { expected, got: subscriber.got, world };
}

interface Stage {
  readonly world: MqttWorld;
  readonly publisher: Publisher;
  readonly subscriber: Subscriber;
}

function breakSomething(
  what: 'evict' | 'crash' | 'lose-publisher' | 'lose-subscriber',
  { world, publisher, subscriber }: Stage,
): void {
  if (what === 'evict') {
    world.evict();
    return;
  }
  if (what === 'crash') world.crash();
  const lost = {
    crash: [publisher, subscriber],
    'lose-publisher': [publisher],
    'lose-subscriber': [subscriber],
  }[what];
  for (const one of lost) one.drop();
  for (const one of lost) one.comeBack();
}

describe('whatever breaks', () => {
  it('[MQTT-4.3.2] a message of quality of service 1 comes at least once, in its order at first', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { expected, got, world } = play(steps, 1);

        expect([...new Set(got)]).toEqual(expected);
        expect(world.rows('mqtt_deliveries')).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  it('[MQTT-4.3.3] a message of quality of service 2 comes exactly once, in its order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { expected, got, world } = play(steps, 2);

        expect(got).toEqual(expected);
        expect(world.rows('mqtt_deliveries') + world.rows('mqtt_received')).toBe(0);
      }),
      { numRuns: 150 },
    );
  });
});
