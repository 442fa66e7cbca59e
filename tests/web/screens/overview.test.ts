import { describe, expect, it } from 'vitest';
import type { ServicesHealth, ServiceStatus } from '../../../edge/contract/service.ts';
import { createText } from '../../../web/i18n/text.ts';
import { healthSentence } from '../../../web/screens/overview/health-sentence.ts';
import { createOneNeuron } from '../../../web/screens/overview/one-neuron.ts';

const health = (states: Readonly<Record<string, ServiceStatus>>): ServicesHealth => ({
  status: 'passing',
  services: Object.fromEntries(
    Object.entries(states).map(([name, status]) => [name, { status, instances: [] }]),
  ),
  checked_at: '2026-11-20T12:00:00Z',
});

describe('the health sentence', () => {
  const en = createText('en');
  const ja = createText('ja');

  it('says that all is well only when it is', () => {
    const well = health({ gateway: 'passing', registry: 'passing' });

    expect(healthSentence(en, well)).toBe('2 of 2 services are passing.');
    expect(healthSentence(ja, well)).toBe('2 件のサービスはすべて正常です。');
  });

  it('names what is not passing, warnings and the unknown included', () => {
    const ill = health({ gateway: 'passing', registry: 'warning', training: 'unknown' });

    expect(healthSentence(en, ill)).toBe(
      '1 of 3 services are passing; look at registry and training.',
    );
    expect(healthSentence(ja, ill)).toContain('registry、training を確認');
  });

  it('claims nothing about no services', () => {
    expect(healthSentence(en, health({}))).toBe('No service is registered.');
  });
});

describe('the one neuron', () => {
  it('follows the closed form of its equation until the first spike', () => {
    const neuron = createOneNeuron();
    const [current, tau] = [0.06, 20];
    const beta = Math.exp(-1 / tau);

    neuron.advance(30, { current, tau });

    const closedForm = (step: number) => (current * (1 - beta ** (step + 1))) / (1 - beta);
    neuron.trace.potentials(0).forEach((potential, step) => {
      // The record is in single precision.
      expect(potential).toBeCloseTo(closedForm(step), 6);
    });
  });

  it('keeps the overshoot of a spike: the reset subtracts the threshold', () => {
    const neuron = createOneNeuron();
    const [current, tau] = [0.3, 10];

    neuron.advance(40, { current, tau });

    const potentials = neuron.trace.potentials(0);
    const fired = neuron.trace.fired(0);
    const first = fired.indexOf(1);
    expect(potentials[first]).toBeGreaterThan(1);
    expect(potentials[first + 1]).toBeCloseTo(
      Math.exp(-1 / tau) * potentials[first]! + current - 1,
      6,
    );
  });

  it('never fires below the current that could carry it over the threshold', () => {
    const neuron = createOneNeuron();
    const tau = 20;

    // At rest between input and leak the potential is I / (1 - beta).
    neuron.advance(400, { tau, current: 0.99 * (1 - Math.exp(-1 / tau)) });

    expect(neuron.trace.fired(0)).not.toContain(1);
  });
});
