import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { RpcStatus } from '../otlp/endpoints.ts';
import { type ProblemCode, PROBLEMS } from '../contract/problem.ts';
import { problemOf } from '../contract/refusal.ts';
import { mediaTypeOf } from './body.ts';

export const PROTOBUF_TYPE = 'application/x-protobuf';

/** The status of a refusal in protocols that know no 422: what a client can put right is a 400. */
export const statusWithout422 = (code: ProblemCode): number =>
  PROBLEMS[code].status === 422 ? 400 : PROBLEMS[code].status;

/** Codes of `google.rpc.Code` by the status of HTTP; others are UNKNOWN. */
const RPC_CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  409: 10,
  412: 9,
  413: 3,
  415: 3,
  429: 8,
  500: 13,
  502: 14,
  503: 14,
  504: 4,
};

/** A refusal as `google.rpc.Status`. */
export const rpcStatusOf = (code: ProblemCode, message: string): RpcStatus => ({
  code: RPC_CODES[statusWithout422(code)] ?? 2,
  message,
  details: [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: code.toUpperCase(),
      domain: 'spikegrid',
      metadata: { code },
    },
  ],
});

/** The answer to a refused export, in the encoding of the request, as OTLP/HTTP asks for. */
export function rpcStatusResponse(error: unknown, request: Request): Response {
  const { code, message, extras } = problemOf(error);
  const status = rpcStatusOf(code, message);
  const isProtobuf = mediaTypeOf(request.headers) === PROTOBUF_TYPE;
  const init = { status: statusWithout422(code), headers: { ...extras.headers } };
  if (!isProtobuf) return Response.json(status, init);
  const writer = new BinaryWriter().tag(1, WireType.Varint).int32(status.code);
  const body = writer.tag(2, WireType.LengthDelimited).string(message).finish();
  return new Response(body, {
    ...init,
    headers: { ...init.headers, 'content-type': PROTOBUF_TYPE },
  });
}
