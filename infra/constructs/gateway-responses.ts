import { type GatewayResponseOptions, ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { problemContentType, problemType } from '../../shared/api/problem-type.ts';
import {
  findProblemKind,
  type ProblemCode,
  problems,
  writeTimeoutDetail,
} from '../../shared/domain/errors.ts';

/** An answer that API Gateway gives by itself. The texts are for the caller, who must learn what to do. */
interface GatewayProblem {
  readonly types: readonly ResponseType[];
  readonly code: ProblemCode;
  readonly detail: string;
}

const gatewayProblems: readonly GatewayProblem[] = [
  {
    // API Gateway takes an unknown route for a request that lacks AWS credentials, or has wrong ones.
    types: [
      ResponseType.MISSING_AUTHENTICATION_TOKEN,
      ResponseType.INVALID_SIGNATURE,
      ResponseType.EXPIRED_TOKEN,
      ResponseType.RESOURCE_NOT_FOUND,
    ],
    code: 'route_not_found',
    detail:
      'There is no endpoint with this method and path. A name in a path is one segment: write its slashes as %2F.',
  },
  {
    types: [ResponseType.ACCESS_DENIED, ResponseType.INVALID_API_KEY, ResponseType.WAF_FILTERED],
    code: 'forbidden',
    detail: 'The gateway does not let this request through.',
  },
  {
    types: [ResponseType.UNAUTHORIZED],
    code: 'unauthorized',
    detail: 'The gateway does not let this request through without credentials.',
  },
  {
    types: [ResponseType.REQUEST_TOO_LARGE],
    code: 'request_too_large',
    detail:
      'The request is larger than the gateway accepts. Send at most 4 MiB to upload a scan, and 64 KiB elsewhere.',
  },
  {
    types: [ResponseType.THROTTLED, ResponseType.QUOTA_EXCEEDED],
    code: 'throttled',
    detail: 'Too many requests at once. Wait a moment and try again.',
  },
  {
    types: [
      ResponseType.DEFAULT_4XX,
      ResponseType.BAD_REQUEST_BODY,
      ResponseType.BAD_REQUEST_PARAMETERS,
    ],
    code: 'bad_request',
    detail: 'The gateway cannot read this request. Check its headers, path and body.',
  },
  {
    types: [ResponseType.UNSUPPORTED_MEDIA_TYPE],
    code: 'bad_request',
    detail:
      'The body is not encoded as Content-Encoding says, or in a way that the gateway does not know. Send it as gzip, as deflate, or as it is.',
  },
  {
    types: [
      ResponseType.DEFAULT_5XX,
      ResponseType.INTEGRATION_FAILURE,
      ResponseType.API_CONFIGURATION_ERROR,
      ResponseType.AUTHORIZER_FAILURE,
      ResponseType.AUTHORIZER_CONFIGURATION_ERROR,
    ],
    code: 'internal_error',
    detail: 'Something went wrong on our side. Try again; if it stays, report the request_id.',
  },
  {
    types: [ResponseType.INTEGRATION_TIMEOUT],
    code: 'timeout',
    // The gateway cannot tell reads from writes.
    detail: writeTimeoutDetail,
  },
];

/** A problem document. Gateway templates know no logic: all but the request id is literal. */
const formatTemplate = ({ code, detail }: GatewayProblem): string => {
  const { title, status } = problems[code];
  const problem = {
    type: problemType(code),
    title,
    status,
    detail,
    code,
    request_id: '$context.requestId',
    ...(status === 400 && { errors: [{ path: 'request', message: detail }] }),
  };
  return `${JSON.stringify(problem)}\n`;
};

/** Every answer of the gateway's own, in the shape of all our errors. */
export const gatewayResponses: readonly (GatewayResponseOptions & { readonly id: string })[] =
  gatewayProblems.flatMap((problem) =>
    problem.types.map((type) => ({
      id: type.responseType,
      type,
      statusCode: String(problems[problem.code].status),
      responseHeaders: {
        'Content-Type': `'${problemContentType}'`,
        'Cache-Control': "'no-store'",
        'X-Content-Type-Options': "'nosniff'",
        ...(findProblemKind(problem.code).header === 'Retry-After' && { 'Retry-After': "'1'" }),
      },
      templates: { 'application/json': formatTemplate(problem) },
    })),
  );
