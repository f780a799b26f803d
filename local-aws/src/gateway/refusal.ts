/** Error responses of the gateway itself: https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html */

/** API Gateway's default status and message of each response type that can occur locally. */
const defaults = {
  API_CONFIGURATION_ERROR: [500, 'Internal server error'],
  DEFAULT_5XX: [502, 'Internal server error'],
  INTEGRATION_FAILURE: [502, 'Internal server error'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out'],
  INVALID_SIGNATURE: [403, "Authorization header requires 'Credential' parameter."],
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long'],
  THROTTLED: [429, 'Too Many Requests'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported Media Type'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ResponseType = keyof typeof defaults;

/** Thrown if the gateway answers instead of the function. */
export class RefusalError extends Error {
  readonly type: ResponseType;
  /** API Gateway's default HTTP status for this type. The template may override it. */
  readonly status: number;
  /** Error of the function or of its invocation, for the access log. Clients never see it. */
  readonly integrationError: string | undefined;

  constructor(type: ResponseType, integrationError?: string) {
    const [status, message] = defaults[type];
    super(message);
    this.name = 'RefusalError';
    this.type = type;
    this.status = status;
    this.integrationError = integrationError;
  }
}
