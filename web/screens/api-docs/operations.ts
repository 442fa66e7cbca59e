import {
  type ApiOperation,
  type ApiResponse,
  type OpenApi,
  type Parameter,
  resolve,
} from '../../api/openapi-client.ts';

const METHODS = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'] as const;

/** One operation with everything it refers to. */
export interface Described {
  readonly id: string;
  readonly tag: string;
  /** In capitals. */
  readonly method: string;
  /** Such as `/registry/models/{id}`. */
  readonly path: string;
  readonly operation: ApiOperation;
  readonly parameters: readonly Parameter[];
  readonly responses: readonly DescribedResponse[];
}

export interface DescribedResponse {
  readonly status: string;
  readonly response: ApiResponse;
  /** The problem codes of this status. */
  readonly codes: readonly string[];
}

const PROBLEM = 'application/problem+json';

/** Every operation of a document, in its order. */
export function operationsOf(document: OpenApi): readonly Described[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      // The gateway's tests validate the document, so this is an operation.
      const operation = item[method] as ApiOperation | undefined;
      return operation ? [describe(document, { path, method, operation })] : [];
    }),
  );
}

interface Found {
  readonly path: string;
  readonly method: string;
  readonly operation: ApiOperation;
}

function describe(document: OpenApi, { path, method, operation }: Found): Described {
  return {
    id: operation.operationId,
    tag: operation.tags[0] ?? '',
    method: method.toUpperCase(),
    path,
    operation,
    parameters: (operation.parameters ?? []).map((one) => resolve<Parameter>(document, one)),
    responses: Object.entries(operation.responses).map(([status, referred]) => {
      const response = resolve<ApiResponse>(document, referred);
      return { status, response, codes: codesOf(response) };
    }),
  };
}

const codesOf = ({ content }: ApiResponse): readonly string[] =>
  Object.keys(content?.[PROBLEM]?.examples ?? {});

/** The operations in which every word of a search occurs. */
export function findOperations(
  operations: readonly Described[],
  search: string,
): readonly Described[] {
  const words = search.normalize('NFKC').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return operations;
  return operations.filter((described) => {
    const text = searchedIn(described);
    return words.every((word) => text.includes(word));
  });
}

function searchedIn({ id, method, path, operation, parameters, responses }: Described): string {
  const names = parameters.map(({ name }) => name);
  const codes = responses.flatMap((response) => response.codes);
  return [id, method, path, operation.summary, ...names, ...codes].join(' ').toLowerCase();
}

/** Who may call an operation: `public`, `authenticated`, or the scope it takes. */
export function accessOf({ security = [], 'x-required-scope': scope }: ApiOperation): string {
  if (security.length === 0) return 'public';
  return scope ?? 'authenticated';
}
