import { skipToken, useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import {
  type ModelInputs,
  modelInputsOf,
} from '../../../../edge/inference/contract/request-inputs.ts';
import { downloadUrl } from '../../../api/model-queries.ts';
import { serviceHttp } from '../../../api/service-http.ts';
import { parseTarget, type Target } from '../exchanges/question.ts';

/** The part of a model_spec.json that determines the model's inputs. */
const InputSpec = z.object({
  architecture: z.string(),
  core: z.optional(z.record(z.string(), z.unknown())),
});

const registry = serviceHttp('/registry');
const TEXT: ModelInputs = { text: 'needed' };

/** Inputs of a target's model according to its spec; text until that is loaded. */
export function useModelInputs(written: string): ModelInputs {
  const target = parseTarget(written);
  const { data } = useQuery({
    queryKey: ['models', 'inputs', written],
    queryFn: target ? ({ signal }) => inputsOf(target, signal) : skipToken,
    staleTime: 60_000,
  });
  return data ?? TEXT;
}

async function inputsOf(target: Target, signal: AbortSignal): Promise<ModelInputs> {
  const { modelId: id, version, alias } = target;
  const url = downloadUrl({ id, filename: 'model_spec.json', version, alias });
  const answer = await registry.fetch(url, { headers: registry.headers ?? {}, signal });
  if (!answer.ok) return TEXT;
  const spec = InputSpec.safeParse(await answer.json());
  return spec.success ? modelInputsOf(spec.data as Parameters<typeof modelInputsOf>[0]) : TEXT;
}
