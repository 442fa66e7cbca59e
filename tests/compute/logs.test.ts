import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogMessage } from '../../edge/logs/contract/log-message.ts';
import { type OwnPlane, startOwnPlane } from './own-plane.ts';
import { runSpikegrid, startSpikegrid } from './spikegrid-process.ts';

let plane: OwnPlane;
beforeAll(async () => {
  plane = await startOwnPlane();
});
afterAll(() => plane.end());

const logs = (...args: string[]) => runSpikegrid('logs', ...args, '--gateway', plane.gateway);

describe('spikegrid logs', () => {
  it('publishes, follows and searches', async () => {
    const data = '{"target":"visual"}';
    const told = await logs('publish', '発火', '--level', 'warn', '--source', 'me', '--data', data);
    expect(told).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^published as log_\w{26}/),
    });

    const follower = startSpikegrid([
      'logs',
      'tail',
      '--count',
      '2',
      '--json',
      '--gateway',
      plane.gateway,
    ]);
    await follower.until(/発火/);
    await logs('publish', 'the next', '--source', 'me');
    const { stdout, code } = await follower.ended;

    expect(code).toBe(0);
    const followed = stdout
      .trim()
      .split('\n')
      .map((line) => LogMessage.parse(JSON.parse(line)));
    expect(followed.map(({ message, level }) => [message, level])).toEqual([
      ['発火', 'warn'],
      ['the next', 'info'],
    ]);
    const found = await logs('search', '発火', '--level', 'warn');
    expect(found.stdout).toMatch(/^\S+Z {2}warn {6}me {2}発火 {2}\{"target":"visual"\}\n$/);
  });

  it('shows control characters of others by their numbers', async () => {
    await logs(
      'publish',
      'steer \u001b[2Jthe\u0085 terminal\u202e',
      '--source',
      'x\u001b]0;y\u0007',
    );

    const found = await logs('search', 'steer');
    const asJson = await logs('search', 'steer', '--json');

    expect(found.stdout).toContain(
      'x\\u001b]0;y\\u0007  steer \\u001b[2Jthe\\u0085 terminal\\u202e',
    );
    expect(asJson.stdout.trim()).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(LogMessage.parse(JSON.parse(asJson.stdout)).message).toContain('\u0085');
  });

  it('says in a line what is wrong', async () => {
    const data = await logs('publish', 'x', '--data', '[1]');
    const key = await logs('tail', '--key', 'sg_wrong');

    expect(data).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('expected a JSON object'),
    });
    expect(key).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^spikegrid: .*credentials/i),
    });
  });
});
