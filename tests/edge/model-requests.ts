import { expect } from 'vitest';
import { ModelDetails } from '../../edge/registry/contract/model.ts';
import { type SharedEdge, postJson, tiny } from './harness.ts';

/** Requests to the registry of an edge that is started before the tests run. */
export function modelRequests(edge: () => SharedEdge) {
  const at = (path: string) => new URL(path, edge().registry);
  const send = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    fetch(at(path), {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    at,
    send,
    async register(model_id: string, ...versions: readonly string[]): Promise<void> {
      for (const version of versions) {
        const answer = await postJson(at('/models/register'), { ...tiny, model_id, version });
        expect(answer.status).toBe(201);
      }
    },
    show: async (path: string) => ModelDetails.parse(await (await fetch(at(path))).json()),
    setAlias: (model: string, alias: string, version: string, headers = {}) =>
      send('PUT', `/models/${model}/aliases/${alias}`, { version }, headers),
  };
}
