import { type GatewayResponseOptions, ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { problemContentType, problemType } from '../../shared/api/problem-type.ts';
import {
  findProblemKind,
  type ProblemCode,
  problems,
  writeTimeoutDetail,
} from '../../shared/domain/errors.ts';

/** An error response of API Gateway itself. Its detail says what the caller can do. */
interface GatewayProblem {
  readonly types: readonly ResponseType[];
  readonly code: ProblemCode;
  readonly detail: string;
}

/**
 * The error responses by type. `DEFAULT_4XX` and `DEFAULT_5XX` cover the types that are not named. The stack has no API keys
 * and no usage plans, so that API Gateway never sends their types.
 */
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
    types: [ResponseType.ACCESS_DENIED, ResponseType.WAF_FILTERED],
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
    types: [ResponseType.THROTTLED],
    code: 'throttled',
    detail: 'Too many requests at once. Wait a moment and try again.',
  },
  {
    types: [ResponseType.DEFAULT_4XX],
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
    types: [ResponseType.DEFAULT_5XX],
    code: 'internal_error',
    detail: 'Something went wrong on our side. Try again; if it stays, report the request_id.',
  },
  {
    types: [ResponseType.INTEGRATION_TIMEOUT],
    code: 'timeout',
    // The template cannot distinguish reads from writes.
    detail: writeTimeoutDetail,
  },
];

/** Returns the mapping template of a problem document, in which all but the request id is literal. */
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

/** API Gateway's own error responses, as the problem documents that the functions send too. */
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
